/** Networks of a stack: what they are made with, and how its containers are on them. */
import {
  attachmentsBy,
  expandNetwork as expandAny,
  type NetworkRecipe,
} from '#domains/containers/expand/network.ts'
import type { Expansion } from '#model/domain.ts'
import type { Group, Operation } from '#model/plan.ts'
import { kindOf } from '#model/ref.ts'
import type { Need } from '#model/resource.ts'
import type { Value } from '#model/value.ts'
import { identityLabels, objectLabels } from '../labels.ts'
import { liveContainer, liveNetwork } from '../live-state.ts'
import type { AttachmentSpec, NetworkSpec, Texts } from '../spec.ts'
import { isRecordedService, networkSpecOf } from '../spec-of.ts'
import { calls, connectOperation } from './calls.ts'
import { operation, recordedSpecOf, textsIn } from './operation.ts'

const recipe: NetworkRecipe<NetworkSpec, AttachmentSpec> = {
  calls,
  specOf: networkSpecOf,
  liveOf: liveNetwork,
  create(expansion, spec) {
    const labels = labelsOf(expansion, spec, spec.labels, expansion.wanted?.needs ?? [])
    return createOperation(spec, recordedSpecOf(expansion), labels)
  },
  recreate(expansion, spec, recorded) {
    const old = networkSpecOf(recorded.spec)
    // a record does not tell secrets
    const labels = labelsOf(expansion, spec, textsIn(old.labels), recorded.needs)
    return createOperation(old, recorded.spec, labels)
  },
  attachments: attachmentsBy((ref, { live, recorded }) => {
    const spec = recorded?.spec
    if (kindOf(ref) !== 'container' || spec === undefined || !isRecordedService(spec))
      return undefined
    const on = spec.networks.map((as) => ({ network: as.network, as }))
    return { id: liveContainer(live).id, on }
  }),
  connect: connectOperation,
}

export function expandNetwork(expansion: Expansion): Group {
  return expandAny(recipe, expansion)
}

function labelsOf(
  { identity, ref }: Expansion,
  { about }: NetworkSpec,
  own: Texts | undefined,
  needs: readonly Need[],
): Texts {
  return { ...own, ...objectLabels('network', about), ...identityLabels(identity, ref, needs) }
}

function createOperation(
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
    id: 'create',
    verb: 'network.create',
    payload: { spec, record, labels },
    words: `Creating network ${object}`,
    command: ['docker network create', ...flags, object].join(' '),
  })
}
