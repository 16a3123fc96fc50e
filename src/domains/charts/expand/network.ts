/** Networks of a chart: what they are made with, and who of it is on them under which names. */
import {
  attachmentsBy,
  expandNetwork as expandAny,
  type NetworkRecipe,
} from '#domains/containers/expand/network.ts'
import type { Expansion } from '#model/domain.ts'
import { isList, isRecord, type Json } from '#model/json.ts'
import type { Group, Operation } from '#model/plan.ts'
import { kindOf } from '#model/ref.ts'
import type { Value } from '#model/value.ts'
import { calls, connectOperation } from './container-calls.ts'
import { labelsFor, operation, recordedSpecOf } from './operation.ts'
import { identityLabels } from '../labels.ts'
import { liveContainer, liveNetwork, livePod } from '../live-state.ts'
import type { NetworkSpec } from '../spec.ts'
import { networkSpecOf } from '../spec-of.ts'

const recipe: NetworkRecipe<NetworkSpec, readonly string[]> = {
  calls,
  specOf: networkSpecOf,
  liveOf: liveNetwork,
  create: (expansion, spec) =>
    createOperation(spec, recordedSpecOf(expansion), labelsFor(expansion)),
  recreate({ identity, ref }, _, { spec, needs }) {
    const old = networkSpecOf(spec)
    return createOperation(old, spec, { ...old.labels, ...identityLabels(identity, ref, needs) })
  },
  attachments: attachmentsBy((ref, { live, recorded }) => {
    const kind = kindOf(ref)
    if (recorded === undefined || (kind !== 'container' && kind !== 'pod')) return undefined
    const id = kind === 'pod' ? livePod(live).infraId : liveContainer(live).id
    return { id, on: networksIn(recorded.spec) }
  }),
  connect: connectOperation,
}

export function expandNetwork(expansion: Expansion): Group {
  return expandAny(recipe, expansion)
}

function networksIn(
  spec: Json,
): readonly { readonly network: string; readonly as: readonly string[] }[] {
  const networks = isRecord<Json>(spec) && isList<Json>(spec['networks']) ? spec['networks'] : []
  return networks.flatMap((item) => {
    if (!isRecord<Json>(item) || typeof item['network'] !== 'string') return []
    const aliases = isList<Json>(item['aliases']) ? item['aliases'] : []
    return { network: item['network'], as: aliases.filter((alias) => typeof alias === 'string') }
  })
}

function createOperation(
  spec: NetworkSpec,
  record: Value,
  labels: Readonly<Record<string, Value>>,
): Operation {
  const { object, driver, subnet, gateway, options } = spec
  const flags = [
    `--driver ${driver}`,
    ...(subnet === undefined ? [] : [`--subnet ${subnet}`]),
    ...(gateway === undefined ? [] : [`--gateway ${gateway}`]),
    ...Object.entries(options ?? {}).map(([name, value]) => `--opt ${name}=${value}`),
  ]
  return operation({
    id: 'create',
    verb: 'network.create',
    payload: { spec, record, labels },
    words: `Creating network ${object}`,
    command: `podman network create ${object} ${flags.join(' ')}`,
  })
}
