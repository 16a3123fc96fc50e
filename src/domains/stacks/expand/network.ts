/** Networks: a changed one is recreated under everyone's feet: all go off it, it is made anew, all go on again. */
import { emptyGroup } from '#engine/plan/empty-group.ts'
import type { Expansion } from '#model/domain.ts'
import type { Group, Operation } from '#model/plan.ts'
import { perWorld } from '#model/per-world.ts'
import { kindOf } from '#model/ref.ts'
import type { Value } from '#model/value.ts'
import { identityLabels, objectLabels } from '../labels.ts'
import { liveContainer, liveNetwork } from '../live.ts'
import type { AttachmentSpec, NetworkSpec, Texts } from '../spec.ts'
import { isRecordedService, networkSpecOf } from '../spec-of.ts'
import { connectOperation, disconnectOperation } from './calls.ts'
import { operation, recordOf, textsIn } from './operation.ts'

export function expandNetwork(expansion: Expansion): Group {
  const { step, wanted, seen, identity, ref } = expansion
  const group = emptyGroup(expansion)
  const live = seen.kind === 'present' ? liveNetwork(seen.live) : undefined
  if (step === 'delete' || wanted === undefined) {
    return live === undefined ? group : { ...group, finish: [removeOperation('remove', live.name)] }
  }
  const spec = networkSpecOf(wanted.spec)
  const labels = {
    ...spec.labels,
    ...objectLabels('network', spec.about),
    ...identityLabels(identity, ref, wanted.needs),
  }
  const create = createOperation('create', spec, recordOf(expansion), labels)
  if (live === undefined || seen.kind !== 'present') {
    return { ...group, make: [create], undo: [removeOperation('take-back', spec.object)] }
  }
  if (step === 'update') return group
  const attached = attachmentsOf(expansion, live.name, live.attached)
  const on = (name: string): readonly Operation[] =>
    attached.map(({ id, attachment }) =>
      connectOperation(name, id, id.slice(0, 12), attachment, `on-${id.slice(0, 12)}`),
    )
  return {
    ...group,
    make: [
      ...attached.map(({ id }) => offOperation(live.name, id)),
      { ...removeOperation('remove', live.name), disrupts: true },
      create,
      ...on(spec.object),
    ],
    undo: undoOf(expansion, spec, live.name, attached, on),
  }
}

/** The same dance with the old spec. Without a record nobody knows what to go back to. */
function undoOf(
  { seen, identity, ref }: Expansion,
  spec: NetworkSpec,
  name: string,
  attached: readonly Attachment[],
  on: (name: string) => readonly Operation[],
): readonly Operation[] {
  const recorded = seen.kind === 'present' ? seen.recorded : undefined
  if (recorded === undefined) return []
  const old = networkSpecOf(recorded.spec)
  const labels = {
    // a record does not tell secrets
    ...textsIn(old.labels),
    ...objectLabels('network', spec.about),
    ...identityLabels(identity, ref, recorded.needs),
  }
  return [
    ...attached.map(({ id }) => ({
      ...offOperation(spec.object, id),
      id: `undo-off-${id.slice(0, 12)}`,
    })),
    removeOperation('undo-remove', spec.object),
    createOperation('undo-create', old, recorded.spec, labels),
    ...on(name).map((each) => ({ ...each, id: `undo-${each.id}` })),
  ]
}

type Attachment = { readonly id: string; readonly attachment: AttachmentSpec | undefined }

/** How ours are on it, says their record; a stranger is asked when it is taken off. */
function attachmentsOf(
  { world }: Expansion,
  network: string,
  ids: readonly string[],
): readonly Attachment[] {
  const known = attachmentsByNetwork(world).get(network)
  return ids.map((id) => ({ id, attachment: known?.get(id) }))
}

/** By network, then by container. */
const attachmentsByNetwork = perWorld((world) => {
  const index = new Map<string, Map<string, AttachmentSpec>>()
  for (const [ref, seen] of world) {
    if (seen.kind !== 'present' || kindOf(ref) !== 'container') continue
    const spec = seen.recorded?.spec
    if (spec === undefined || !isRecordedService(spec)) continue
    const { id } = liveContainer(seen.live)
    for (const attachment of spec.networks) {
      const known = index.get(attachment.network) ?? new Map<string, AttachmentSpec>()
      known.set(id, attachment)
      index.set(attachment.network, known)
    }
  }
  return index
})

function offOperation(network: string, id: string): Operation {
  const call = disconnectOperation(network, id, id.slice(0, 12), `off-${id.slice(0, 12)}`)
  return { ...call, disrupts: true }
}

function createOperation(
  id: string,
  spec: Omit<NetworkSpec, 'about'>,
  record: Value,
  labels: Texts,
): Operation {
  const { object, driver, ipam, options } = spec
  const flags = [
    ...(driver === undefined ? [] : [`--driver ${driver}`]),
    ...(ipam?.pools ?? []).flatMap(({ subnet }) =>
      subnet === undefined ? [] : [`--subnet ${subnet}`],
    ),
    ...Object.entries(options ?? {}).map(([name, value]) => `--opt ${name}=${value}`),
  ]
  return operation({
    id,
    verb: 'network.create',
    payload: { spec, record, labels },
    words: `Creating network ${object}`,
    command: ['docker network create', ...flags, object].join(' '),
  })
}

function removeOperation(id: string, name: string): Operation {
  return operation({
    id,
    verb: 'network.remove',
    payload: { name },
    words: `Removing network ${name}`,
    command: `docker network rm ${name}`,
  })
}
