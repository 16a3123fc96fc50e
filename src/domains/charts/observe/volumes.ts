/** Volumes: named ones as Podman has them; paths of the host and memory as what they are. */
import { stat } from 'node:fs/promises'
import type { Stats } from 'node:fs'
import { recordedOf } from '#domains/containers/record.ts'
import { hashOf } from '#model/json.ts'
import { kindOf, type Ref } from '#model/ref.ts'
import type { Absent, Present, Resource } from '#model/resource.ts'
import { settled } from '#model/value.ts'
import type { LiveVolume } from '../live-state.ts'
import { isSeen } from './all.ts'
import { sourceIn } from '#domains/containers/left-behind.ts'
import { ownByRef } from '#domains/containers/observe/own.ts'
import type { View } from './observe.ts'
import type { HostPathType } from '../spec.ts'
import { volumeSpecOf } from '../spec-of.ts'
import { defined } from '#model/defined.ts'

export async function observeVolumes(view: View): Promise<ReadonlyMap<Ref, Absent | Present>> {
  const { lists, owner, wanted } = view
  const found = new Map<Ref, Absent | Present>()
  if (!isSeen(lists.volumes)) return found
  for (const [ref, own] of ownByRef(lists.volumes, owner)) {
    const [volume] = own
    const { name, labels, driver } = defined(volume)
    found.set(ref, {
      kind: 'present',
      recorded: recordedOf(labels),
      outputs: { object: name },
      live: { hasObject: true, name, driver, ...sourceIn(labels) } satisfies LiveVolume,
      spares: [],
    })
  }
  for (const [ref, resource] of wanted) {
    if (kindOf(ref) !== 'volume' || resource.problems.length > 0 || found.has(ref)) continue
    const { from } = volumeSpecOf(resource.spec)
    if (from.kind === 'memory') found.set(ref, asWanted(resource))
    if (from.kind === 'host') found.set(ref, await onHost(view, resource, from))
  }
  return found
}

/** A volume of this type has no object in Podman that could differ from the declaration. */
function asWanted({ spec, needs }: Resource): Present {
  const record = settled(spec)
  return {
    kind: 'present',
    recorded: { hash: hashOf(record), spec: record, needs },
    outputs: {},
    live: { hasObject: false, name: '', driver: '' } satisfies LiveVolume,
    isGiven: true,
    spares: [],
  }
}

type HostPath = { readonly path: string; readonly type: HostPathType }

/** On another machine nobody can look: there the container's own creation says what is missing. */
async function onHost(
  { podman }: View,
  resource: Resource,
  host: HostPath,
): Promise<Absent | Present> {
  if (!podman.isLocal) return asWanted(resource)
  // it is not there
  const found = await stat(host.path).catch(() => undefined)
  if (found !== undefined) {
    if (isRight(found, host.type)) return asWanted(resource)
    return refused(resource, `${host.path} is there, but it is no ${words[host.type]}`)
  }
  if (host.type.endsWith('OrCreate')) return { kind: 'absent' }
  return refused(resource, `${host.path} is not there, and type ${host.type} says that it must be`)
}

const words = {
  DirectoryOrCreate: 'directory',
  Directory: 'directory',
  FileOrCreate: 'file',
  File: 'file',
  Socket: 'socket',
  CharDevice: 'character device',
  BlockDevice: 'block device',
} as const

function isRight(found: Stats, type: HostPathType): boolean {
  switch (type) {
    case 'DirectoryOrCreate':
    case 'Directory':
      return found.isDirectory()
    case 'FileOrCreate':
    case 'File':
      return found.isFile()
    case 'Socket':
      return found.isSocket()
    case 'CharDevice':
      return found.isCharacterDevice()
    case 'BlockDevice':
      return found.isBlockDevice()
  }
}

function refused({ ref, origin }: Resource, message: string): Absent {
  const suggestion =
    'make it, correct the path, or give its type as DirectoryOrCreate or FileOrCreate'
  return {
    kind: 'absent',
    forecast: {
      kind: 'refused',
      problem: {
        type: 'validation',
        code: 'not_possible_here',
        ref,
        at: origin,
        message,
        suggestion,
      },
    },
  }
}
