/** Volumes: made once, never changed; removed, or made anew without their data, only when the user said so in as many words. */
import { removeUser } from '#domains/containers/expand/recorded.ts'
import { emptyGroup } from '#engine/plan/empty-group.ts'
import type { Expansion } from '#model/domain.ts'
import type { Group, Operation } from '#model/plan.ts'
import { identityLabels, objectLabels } from '../labels.ts'
import { liveContainer, liveVolume, type LiveVolume } from '../live-state.ts'
import { nextName } from '#domains/containers/object-names.ts'
import { shownText } from '#domains/containers/sealed-text.ts'
import type { VolumeSpec } from '../spec.ts'
import { volumeSpecOf } from '../spec-of.ts'
import { calls, timeoutOf } from './calls.ts'
import { operation, recordedSpecOf, shortHashOf } from './operation.ts'
import { usersOf } from './volume-users.ts'

export function expandVolume(expansion: Expansion): Group {
  const { step, wanted, seen } = expansion
  const group = emptyGroup(expansion)
  const live = seen.kind === 'present' ? liveVolume(seen.live) : undefined
  if (step === 'delete' || wanted === undefined) {
    return live === undefined ? group : { ...group, finish: [removeOperation(expansion, live)] }
  }
  const make = [createOperation(expansion, volumeSpecOf(wanted.spec))]
  if (live === undefined) return { ...group, make }
  if (step === 'update') return group
  return recreated(expansion, volumeSpecOf(wanted.spec), live)
}

function removeOperation({ identity }: Expansion, { name, isAdopted }: LiveVolume): Operation {
  return calls.removeVolume(name, isAdopted === true ? undefined : identity.owner)
}

/** What is in it goes, and nothing brings it back: whether the engine takes the new one is tried before. */
function recreated(expansion: Expansion, spec: VolumeSpec, live: LiveVolume): Group {
  const { seen } = expansion
  const { name } = live
  const before = seen.kind === 'present' ? (seen.recorded?.hash ?? '') : ''
  return {
    ...emptyGroup(expansion),
    prepare: [tryOperation(expansion, spec)],
    make: [
      ...userOperations(expansion, name),
      { ...removeOperation(expansion, live), disrupts: true },
      createOperation(expansion, spec),
    ],
    undo: [
      operation({
        id: 'still-there',
        verb: 'volume.still-there',
        payload: { name, hash: before },
        words: `Looking whether volume ${name} is still the old one`,
        command: `docker volume inspect ${name}`,
      }),
    ],
  }
}

/**
 * Those of ours that use it go first, and are made anew in the same run. Where one is left as it is, none goes: the engine then
 * refuses to remove the volume, and nothing is lost.
 */
function userOperations(expansion: Expansion, volume: string): readonly Operation[] {
  const users = usersOf(expansion, volume)
  if (users.some(({ ref }) => !expansion.steps.has(ref))) return []
  return users.flatMap(({ seen, old }) =>
    removeUser(calls, liveContainer(seen.live), seen, timeoutOf(old)),
  )
}

function tryOperation(expansion: Expansion, spec: VolumeSpec): Operation {
  const { object } = spec
  const name = nextName(object, shortHashOf(expansion))
  return operation({
    id: 'try',
    verb: 'volume.try',
    payload: { spec, name },
    words: `Trying whether volume ${object} can be made`,
    command: `${createCommand(spec, name)} && docker volume rm ${name}`,
  })
}

function createCommand({ options, driver }: VolumeSpec, name: string): string {
  const flags = Object.entries(options ?? {}).map(
    ([key, value]) => `--opt ${key}=${shownText(value)}`,
  )
  const by = driver === undefined ? [] : [`--driver ${driver}`]
  return ['docker volume create', ...by, ...flags, name].join(' ')
}

function createOperation(expansion: Expansion, spec: VolumeSpec): Operation {
  const { identity, ref, wanted } = expansion
  return operation({
    id: 'create',
    verb: 'volume.create',
    payload: {
      spec,
      record: recordedSpecOf(expansion),
      labels: {
        ...spec.labels,
        ...objectLabels('volume', spec.about),
        ...identityLabels(identity, ref, wanted?.needs ?? []),
      },
    },
    words: `Creating volume ${spec.object}`,
    command: createCommand(spec, spec.object),
  })
}
