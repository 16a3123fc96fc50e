/** Which container belongs to which pod, whichever of the two says so. */
import type { YamlPath } from '#formats/yaml/find-node.ts'
import type { ChartContext } from './chart-context.ts'
import type { Declaration } from './declaration.ts'
import { findDeclared } from './references.ts'
import { bad } from '#formats/schema/rule.ts'

export type Membership = {
  readonly pod: Declaration<'pod'>
  readonly container: Declaration<'container'>
  /** It runs to its end before the others start. */
  readonly init?: 'once' | 'always'
}

/** A container may be listed by its pod and name the pod itself; two different pods are a fault. */
export function findMembers(
  context: Pick<ChartContext, 'declared' | 'isWhole'>,
): ReadonlyMap<string, Membership> {
  const members = new Map<string, Membership>()
  for (const pod of context.declared.pod.values()) {
    for (const { name, path, init } of listedBy(pod)) {
      const container = findDeclared(context, pod, path, 'container', name)
      if (container === undefined) continue
      const before = members.get(name)
      if (before === undefined) {
        members.set(name, { pod, container, ...(init === undefined ? {} : { init }) })
      } else {
        pod.report(path, bad(`${JSON.stringify(name)} is a member of ${before.pod.ref} already`))
      }
    }
  }
  for (const container of context.declared.container.values()) {
    const named = container.data.pod
    if (named === undefined) continue
    const pod = findDeclared(context, container, ['pod'], 'pod', named)
    const listed = members.get(container.name)
    if (pod === undefined) continue
    if (listed === undefined) members.set(container.name, { pod, container })
    else if (listed.pod !== pod) {
      container.report(['pod'], bad(`${listed.pod.ref} lists this container as its member`))
    }
  }
  reportEmpty(context, members)
  return members
}

type Listed = {
  readonly name: string
  readonly path: YamlPath
  readonly init?: 'once' | 'always'
}

function listedBy(pod: Declaration<'pod'>): readonly Listed[] {
  const members = pod.data.containers.map((member, index) =>
    typeof member === 'string'
      ? { name: member, path: ['containers', index] }
      : { name: member.name, path: ['containers', index, 'name'] },
  )
  const first = (pod.data.initContainers ?? []).map((member, index) =>
    typeof member === 'string'
      ? { name: member, path: ['initContainers', index], init: 'always' as const }
      : {
          name: member.name,
          path: ['initContainers', index, 'name'],
          init: member.type ?? ('always' as const),
        },
  )
  return [...members, ...first]
}

function reportEmpty(
  context: Pick<ChartContext, 'declared'>,
  members: ReadonlyMap<string, Membership>,
): void {
  const filled = new Set([...members.values()].map((member) => member.pod))
  for (const pod of context.declared.pod.values()) {
    if (filled.has(pod) || pod.isFaulty(['containers'])) continue
    pod.report(['containers'], bad('has no containers', 'name at least one CuteContainer'))
  }
}
