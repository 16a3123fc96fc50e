/** Networks: a changed one is recreated under everyone's feet: all go off it, it is made anew, all go on again. */
import { emptyGroup } from '#engine/plan/empty-group.ts'
import type { Expansion } from '#model/domain.ts'
import { isList, isRecord, type Json } from '#model/json.ts'
import type { Group, Operation } from '#model/plan.ts'
import { perWorld } from '#model/per-world.ts'
import { kindOf } from '#model/ref.ts'
import type { Value } from '#model/value.ts'
import { connectOperation, disconnectOperation } from './container-calls.ts'
import { labelsFor, operation, recordOf } from './operation.ts'
import { identityLabels } from '../labels.ts'
import { liveContainer, liveNetwork, livePod } from '../live.ts'
import type { NetworkSpec } from '../spec.ts'
import { networkSpecOf } from '../spec-of.ts'

export function expandNetwork(expansion: Expansion): Group {
  const { step, wanted, seen } = expansion
  const group = emptyGroup(expansion)
  const live = seen.kind === 'present' ? liveNetwork(seen.live) : undefined
  if (step === 'delete' || wanted === undefined) {
    return live === undefined ? group : { ...group, finish: [removeOperation('remove', live.name)] }
  }
  const spec = networkSpecOf(wanted.spec)
  const create = createOperation('create', spec, recordOf(expansion), labelsFor(expansion))
  if (live === undefined || seen.kind !== 'present') {
    return { ...group, make: [create], undo: [removeOperation('take-back', spec.object)] }
  }
  if (step === 'update') return group
  const attached = attachmentsOf(expansion, live.name, live.attached)
  const off = attached.map(({ id }) => offOperation(live.name, id))
  const on = (name: string): readonly Operation[] =>
    attached.map(({ id, aliases }) =>
      connectOperation(name, id, id.slice(0, 12), aliases, `on-${id.slice(0, 12)}`),
    )
  return {
    ...group,
    make: [
      ...off,
      { ...removeOperation('remove', live.name), disrupts: true },
      create,
      ...on(spec.object),
    ],
    undo: undoOf(expansion, spec, live.name, attached, on),
  }
}

/** The same dance with the old spec. Without a record nobody knows what to go back to. */
function undoOf(
  expansion: Expansion,
  spec: NetworkSpec,
  name: string,
  attached: readonly Attachment[],
  on: (name: string) => readonly Operation[],
): readonly Operation[] {
  const { seen, identity, ref } = expansion
  const recorded = seen.kind === 'present' ? seen.recorded : undefined
  if (recorded === undefined) return []
  const old = networkSpecOf(recorded.spec)
  const labels = { ...old.labels, ...identityLabels(identity, ref, recorded.needs) }
  return [
    ...attached.map(({ id }) => ({
      ...offOperation(spec.object, id),
      id: `undo-off-${id.slice(0, 12)}`,
    })),
    removeOperation('undo-remove', spec.object),
    createOperation('undo-create', old, recorded.spec, labels),
    ...on(name).map((operation) => ({ ...operation, id: `undo-${operation.id}` })),
  ]
}

type Attachment = { readonly id: string; readonly aliases: readonly string[] | undefined }

/** Under which names ours are on it, says their record; a stranger's are asked for when it is taken off. */
function attachmentsOf(
  { world }: Expansion,
  network: string,
  ids: readonly string[],
): readonly Attachment[] {
  const known = aliasesOnNetworks(world).get(network)
  return ids.map((id) => ({ id, aliases: known?.get(id) }))
}

/** By network, then by container. */
const aliasesOnNetworks = perWorld((world) => {
  const index = new Map<string, Map<string, readonly string[]>>()
  for (const [ref, seen] of world) {
    if (seen.kind !== 'present' || seen.recorded === undefined) continue
    const kind = kindOf(ref)
    if (kind !== 'container' && kind !== 'pod') continue
    const id = kind === 'pod' ? livePod(seen.live).infraId : liveContainer(seen.live).id
    for (const { network, aliases } of networksIn(seen.recorded.spec)) {
      const known = index.get(network) ?? new Map<string, readonly string[]>()
      known.set(id, aliases)
      index.set(network, known)
    }
  }
  return index
})

function networksIn(
  spec: Json,
): readonly { readonly network: string; readonly aliases: readonly string[] }[] {
  const networks = isRecord<Json>(spec) && isList<Json>(spec['networks']) ? spec['networks'] : []
  return networks.flatMap((item) => {
    if (!isRecord<Json>(item) || typeof item['network'] !== 'string') return []
    const aliases = isList<Json>(item['aliases']) ? item['aliases'] : []
    return {
      network: item['network'],
      aliases: aliases.filter((alias) => typeof alias === 'string'),
    }
  })
}

function offOperation(network: string, id: string): Operation {
  const call = disconnectOperation(network, id, id.slice(0, 12), `off-${id.slice(0, 12)}`)
  return { ...call, disrupts: true }
}

function createOperation(
  id: string,
  spec: NetworkSpec,
  record: Value,
  labels: Readonly<Record<string, string>>,
): Operation {
  const { object, driver, subnet, gateway, options } = spec
  const flags = [
    `--driver ${driver}`,
    ...(subnet === undefined ? [] : [`--subnet ${subnet}`]),
    ...(gateway === undefined ? [] : [`--gateway ${gateway}`]),
    ...Object.entries(options ?? {}).map(([name, value]) => `--opt ${name}=${value}`),
  ]
  return operation({
    id,
    verb: 'network.create',
    payload: { spec, record, labels },
    words: `Creating network ${object}`,
    command: `podman network create ${object} ${flags.join(' ')}`,
  })
}

function removeOperation(id: string, name: string): Operation {
  return operation({
    id,
    verb: 'network.remove',
    payload: { name },
    words: `Removing network ${name}`,
    command: `podman network rm ${name}`,
  })
}
