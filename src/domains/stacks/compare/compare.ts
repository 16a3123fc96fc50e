/** Whether what runs is what is wanted; if not, what differs, and whether it can be mended or must be replaced. */
import { isBelow } from '#domains/containers/changes.ts'
import { compareBy } from '#domains/containers/compare.ts'
import { diffValue } from '#engine/diff/diff.ts'
import { recordOf, textOf } from '#model/read-json.ts'
import { isRecord } from '#model/json.ts'
import type { Change } from '#model/plan.ts'
import { kindOf } from '#model/ref.ts'
import type { Present, Resource } from '#model/resource.ts'
import { isLater, isSealed, settled, type Value } from '#model/value.ts'
import type { Vault } from '#model/vault.ts'
import { liveNetwork } from '../live-state.ts'
import { serviceSpecOf } from '../spec-of.ts'
import { withoutHandled } from './contents.ts'
import { driftOf } from './drift.ts'

export const compare = compareBy({
  changesOf,
  driftOf,
  whyUnreadable: differsIn,
  warnings: ({ ref }, seen) => (kindOf(ref) === 'network' ? strangersOf(seen) : []),
})

/** Why a container that was adopted from docker compose is not as declared. */
function differsIn({ live }: Present): string | undefined {
  return textOf(recordOf(live)['differs']) || undefined
}

/** Containers of others on a network that is replaced are attached again, but are cut off for a moment. */
function strangersOf({ live }: Present): readonly string[] {
  const { name, strangers } = liveNetwork(live)
  if (strangers.length === 0) return []
  const who = strangers.join(', ')
  return [
    `network ${name} is made anew: ${who}, not of this stack, ${strangers.length === 1 ? 'is' : 'are'} taken off it and put on again`,
  ]
}

export function changesOf(wanted: Resource, seen: Present, vault: Vault): readonly Change[] {
  const ignored = ignoredFields[kindOf(wanted.ref)] ?? []
  const handled =
    kindOf(wanted.ref) === 'container' ? (serviceSpecOf(wanted.spec).onChange ?? {}) : {}
  const spec = withoutHandled(wanted.spec, handled)
  const recorded = settled(withoutHandled(seen.recorded?.spec ?? {}, handled))
  return diffValue(spec, recorded, vault, keyOf)
    .filter(({ path }) => !ignored.some((field) => isBelow(path, field)) && !isOfMaking(path))
    .map((change) => ({ ...change, path: pathInFile(change.path) }))
}

/** Whether the engine may make the host's folder counts when a container is made, and its default is another in newer releases. */
function isOfMaking(path: string): boolean {
  return path.startsWith('mounts') && path.endsWith('.from.makesPath')
}

/** What the file calls otherwise. */
const words: Readonly<Record<string, string>> = {
  isInternal: 'internal',
  isAttachable: 'attachable',
  hasIPv4: 'enable_ipv4',
  hasIPv6: 'enable_ipv6',
  options: 'driver_opts',
  'ipam.pools': 'ipam.config',
}

function pathInFile(path: string): string {
  const own = path.replace(/^service\./, '')
  const [word] = Object.keys(words).filter((each) => own === each || own.startsWith(`${each}.`))
  return word === undefined ? own : `${words[word]}${own.slice(word.length)}`
}

/**
 * When to pull, who waits for it and where its files lie is no property of what runs. A volume's labels can't be changed,
 * and are not worth its data. Options of an address manager were not read in older releases: they count when a network is made.
 */
const ignoredFields: Readonly<Record<string, readonly string[]>> = {
  container: [
    'about',
    'pullPolicy',
    'updateOrder',
    'awaited',
    'build.context',
    'build.definition',
    'onChange',
    'fills',
  ],
  network: ['about', 'ipam.options'],
  volume: ['about', 'labels'],
}

/** Items of lists go by what a person calls them, not by their place. */
function keyOf(path: string, item: Value): string | undefined {
  if (isSealed(item) || isLater(item) || !isRecord<Value>(item)) return undefined
  const text = (field: string): string | undefined =>
    typeof item[field] === 'string' ? item[field] : undefined
  switch (path) {
    case 'service.ports':
      return portKey(item)
    case 'networks':
      return text('network')
    case 'mounts':
    case 'files':
    case 'service.devices':
      return text('target')
    default:
      return undefined
  }
}

/** A published port by its host port, as users know it. */
function portKey({ published, target, protocol }: { readonly [key: string]: Value }): string {
  const words = [published ?? target, protocol].map((word) =>
    typeof word === 'string' || typeof word === 'number' ? String(word) : '',
  )
  return words.join('/')
}
