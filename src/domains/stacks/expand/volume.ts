/** Volumes: made once, never changed; removed, or made anew without their data, only when the user said so in as many words. */
import type { Expansion } from '#model/domain.ts'
import type { Group, Operation } from '#model/plan.ts'
import { file, perWorld } from '#model/per-world.ts'
import { kindOf } from '#model/ref.ts'
import type { Present } from '#model/resource.ts'
import { identityLabels, objectLabels } from '../labels.ts'
import { liveContainer, liveVolume, spareOf } from '../live.ts'
import type { VolumeSpec } from '../spec.ts'
import { isRecordedService, volumeSpecOf, type RecordedService } from '../spec-of.ts'
import { removeOperation as removeContainer, timeoutOf } from './calls.ts'
import { emptyGroup, operation, recordOf } from './operation.ts'

export function expandVolume(expansion: Expansion): Group {
  const { step, wanted, seen } = expansion
  const group = emptyGroup(expansion)
  const live = seen.kind === 'present' ? liveVolume(seen.live) : undefined
  if (step === 'delete' || wanted === undefined) {
    return live === undefined ? group : { ...group, finish: [removeOperation(live.name)] }
  }
  const make = [createOperation(expansion, volumeSpecOf(wanted.spec))]
  if (live === undefined) return { ...group, make }
  if (step === 'update') return group
  const remove = { ...removeOperation(live.name), disrupts: true }
  return { ...group, make: [...usersOf(expansion, live.name), remove, ...make] }
}

/** A stopped container holds its volume too: those of ours that use it go first. They are made anew in the same run. */
function usersOf(expansion: Expansion, volume: string): readonly Operation[] {
  const users = usersByVolume(expansion.world).get(volume) ?? []
  return users.flatMap(({ seen, old }) => {
    const live = liveContainer(seen.live)
    return [{ id: live.id, name: live.name }, ...seen.spares.map(spareOf)].map(({ id, name }) => ({
      ...removeContainer(`remove-${id.slice(0, 12)}`, id, name, timeoutOf(old)),
      disrupts: true,
    }))
  })
}

type User = { readonly seen: Present; readonly old: RecordedService }

const usersByVolume = perWorld((world) => {
  const index = new Map<string, User[]>()
  for (const [ref, seen] of world) {
    if (kindOf(ref) !== 'container' || seen.kind !== 'present') continue
    const old = seen.recorded?.spec
    if (old === undefined || !isRecordedService(old)) continue
    const names = old.mounts.flatMap(({ from }) => (from.kind === 'volume' ? from.volume : []))
    for (const name of new Set(names)) file(index, name, { seen, old })
  }
  return index
})

function createOperation(expansion: Expansion, spec: VolumeSpec): Operation {
  const { identity, ref, wanted } = expansion
  const flags = Object.entries(spec.options ?? {}).map(([name, value]) => `--opt ${name}=${value}`)
  const driver = spec.driver === undefined ? [] : [`--driver ${spec.driver}`]
  return operation({
    id: 'create',
    verb: 'volume.create',
    payload: {
      spec,
      record: recordOf(expansion),
      labels: {
        ...spec.labels,
        ...objectLabels('volume', spec.about),
        ...identityLabels(identity, ref, wanted?.needs ?? []),
      },
    },
    words: `Creating volume ${spec.object}`,
    command: ['docker volume create', ...driver, ...flags, spec.object].join(' '),
  })
}

function removeOperation(name: string): Operation {
  return operation({
    id: 'remove',
    verb: 'volume.remove',
    payload: { name },
    words: `Removing volume ${name}`,
    command: `docker volume rm ${name}`,
  })
}
