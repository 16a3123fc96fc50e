/** Causes and changed fields, in words that charts and stacks share. */
import type { Difference, Permissions } from '#model/domain.ts'
import type { PinnedImage } from '#model/image.ts'
import type { Change } from '#model/plan.ts'
import { nameOf } from '#model/ref.ts'
import type { Present, Resource } from '#model/resource.ts'
import type { LiveContainer } from './live-state.ts'

export function isBelow(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`)
}

export function causeOf(changes: readonly Change[]): string {
  const [first, second, third] = changes.map(({ path }) => path)
  if (second === undefined) return `${first} changed`
  if (third === undefined) return `${first} and ${second} changed`
  return `${first}, ${second} and ${changes.length - 2} more changed`
}

/** The object is ours, but the record of what it was made from is lost, so it is made anew; a volume keeps its data. `why`: the reason that was given when it was adopted. */
export function unreadable(kind: string, why?: string): Difference {
  if (kind === 'volume') return { kind: 'same' }
  const cause = why ?? 'its record is missing or was tampered with'
  return { kind: 'changed', how: 'replace', cause, changes: [] }
}

/** `fields`: the changes, as a person wrote them. */
export function changedVolume(
  { ref, origin }: Resource,
  changes: readonly Change[],
  fields: readonly string[],
  { recreateVolumes }: Permissions,
): Difference {
  if (recreateVolumes) {
    const cause = `${causeOf(changes)}; its data goes (--recreate-volumes)`
    return { kind: 'changed', how: 'replace', cause, changes }
  }
  return {
    kind: 'refused',
    changes,
    problem: {
      type: 'validation',
      code: 'volume_changed',
      ref,
      at: origin,
      message: `volume ${nameOf(ref)} can't be changed and keep its data (changed: ${fields.join(', ')})`,
      suggestion:
        'undo the change, declare a new volume, or let its data go with --recreate-volumes',
    },
  }
}

/** The declaration did not change, what runs did. */
export type Drift = {
  readonly cause: string
  readonly change?: Change
  readonly mustReplace?: boolean
}

export function drifted(signals: Iterable<Drift>, { spares }: Present): Difference {
  const drifts = [...signals]
  if (spares.length > 0) drifts.push({ cause: 'a run that was cut off left something behind' })
  if (drifts.length === 0) return { kind: 'same' }
  return {
    kind: 'changed',
    how: drifts.some(({ mustReplace }) => mustReplace === true) ? 'replace' : 'update',
    cause: drifts.map(({ cause }) => cause).join('; '),
    changes: drifts.flatMap(({ change }) => change ?? []),
    ...(drifts.every(({ change }) => change !== undefined) ? { isDrift: true } : {}),
  }
}

export type Expected = {
  readonly image: string
  /** The image that an earlier run used, where a rollback applies that run again: what the tag means by now does not count then. */
  readonly pinned: PinnedImage | undefined
  readonly object: string
  /** What the file calls its name. */
  readonly nameField: string
  /** In words; undefined when it runs, or did what it was for. */
  readonly stopped: string | undefined
  readonly missingNetworks: readonly string[]
}

export function* containerDrifts(expected: Expected, live: LiveContainer): Iterable<Drift> {
  const { image, pinned, object, nameField, stopped, missingNetworks } = expected
  const imageId = pinned?.id ?? live.tagId
  if (imageId !== '' && live.imageId !== imageId) {
    const change = { path: 'image', from: live.imageId.slice(0, 12), to: imageId.slice(0, 12) }
    const moved = `${image} is another image now`
    const cause = pinned === undefined ? moved : `${image} was another image in that run`
    yield { cause, change, mustReplace: true }
  }
  if (live.name !== object) {
    const change = { path: nameField, from: live.name, to: object }
    yield { cause: `it is called ${live.name}`, change }
  }
  if (stopped !== undefined) {
    yield { cause: stopped, change: { path: 'state', from: live.state, to: 'running' } }
  }
  for (const network of missingNetworks) yield offNetwork(network)
}

export function offNetwork(network: string): Drift {
  const change = { path: `networks[${network}]`, from: null, to: 'connected' }
  return { cause: `it is not on network ${network}`, change }
}
