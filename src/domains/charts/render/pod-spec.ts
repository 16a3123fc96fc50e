/** From a declared pod to its spec: in a pod, ports, networks and names are the pod's, not the members'. */
import type { YamlPath } from '#formats/yaml/find-node.ts'
import type { Need } from '#model/resource.ts'
import type { ChartContext } from './chart-context.ts'
import { compact } from './compact.ts'
import type { Declaration } from './declaration.ts'
import { attachments, hostsOf, portsOf } from './network-parts.ts'
import { bad } from '#formats/schema/rule.ts'
import type { AttachmentSpec, PodSpec } from '../spec.ts'
import { textsOf } from './texts.ts'

type Side = Declaration<'pod'> | Declaration<'container'>

export function podSpec(
  pod: Declaration<'pod'>,
  context: ChartContext,
): { readonly spec: PodSpec; readonly needs: readonly Need[] } {
  const members = [...context.memberships.values()]
    .filter((member) => member.pod === pod)
    .map((member) => member.container)
  const sides: readonly Side[] = [pod, ...members]
  const aliases = sides.map((side) => side.name)
  const joined = sides.map((side) => attachments(side, context, [...new Set(aliases)]))
  const sysctl = merged(sides, 'sysctl', (side) => textsOf(side, ['sysctl'], side.data.sysctl))
  const extraHosts = merged(sides, 'extraHosts', (side) => hostsOf(side, side.data.extraHosts))
  return {
    spec: compact({
      object: pod.object,
      hostname: hostnameOf(sides),
      ports: sides.flatMap((side) => portsOf(side, side.data.ports)),
      networks: distinct(joined.flatMap((one) => one.networks)),
      sysctl,
      extraHosts,
      labels: pod.labels,
    }),
    needs: joined
      .flatMap((one) => one.needs)
      .filter((need, index, all) => all.findIndex((other) => other.ref === need.ref) === index),
  }
}

function distinct(networks: readonly AttachmentSpec[]): readonly AttachmentSpec[] {
  return [...new Map(networks.map((network) => [network.network, network])).values()]
}

function hostnameOf(sides: readonly Side[]): string | undefined {
  let found: { readonly name: string; readonly by: Side } | undefined
  for (const side of sides) {
    const name = side.data.hostname
    if (name === undefined) continue
    if (found === undefined) found = { name, by: side }
    else if (found.name !== name) disagree(side, ['hostname'], name, found.name, found.by)
  }
  return found?.name
}

/** Members may each say a part; two that say different things of one key can't both be right. */
function merged(
  sides: readonly Side[],
  field: 'sysctl' | 'extraHosts',
  read: (side: Side) => Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> | undefined {
  const found = new Map<string, { readonly value: string; readonly by: Side }>()
  for (const side of sides) {
    for (const [key, value] of Object.entries(read(side) ?? {})) {
      const before = found.get(key)
      if (before === undefined) found.set(key, { value, by: side })
      else if (before.value !== value) disagree(side, [field, key], value, before.value, before.by)
    }
  }
  if (found.size === 0) return undefined
  return Object.fromEntries([...found].map(([key, { value }]) => [key, value]))
}

function disagree(side: Side, path: YamlPath, value: string, other: string, by: Side): void {
  const message = `${value} here, ${other} in ${by.ref}: a pod has only one`
  side.report(path, bad(message, 'say the same in both, or only in the pod'))
}
