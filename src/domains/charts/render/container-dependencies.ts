/** What a container waits for of other containers. */
import type { Need } from '#model/resource.ts'
import type { ChartContext } from './chart-context.ts'
import type { Declaration } from './declaration.ts'
import { findDeclared } from './references.ts'
import { restartPolicyOf } from './restart-policy.ts'
import { bad, type Fault } from '#formats/schema/rule.ts'

type Condition = 'started' | 'healthy' | 'completed'

/** Of `dependsOn`, and of a pod's init containers: they run one after the other, each to its end, then the members. */
export function dependencies(
  container: Declaration<'container'>,
  context: ChartContext,
): readonly Need[] {
  const asked = (container.data.dependsOn ?? []).flatMap((entry, index) => {
    const isShort = typeof entry === 'string'
    const { name, condition = 'started' } = isShort ? { name: entry } : entry
    const path = isShort ? ['dependsOn', index] : ['dependsOn', index, 'name']
    const other = findDeclared(context, container, path, 'container', name)
    if (other === undefined) return []
    if (other.ref === container.ref) {
      container.report(path, bad(`${name} would wait for itself`, 'take it out of dependsOn'))
      return []
    }
    const fault = conditionFault(other, condition, context)
    if (fault !== undefined) {
      container.report(isShort ? path : ['dependsOn', index, 'condition'], fault)
    }
    return [{ ref: other.ref, until: condition, renew: false }]
  })
  return [...asked, ...initNeeds(container, context)]
}

/** A condition that could never come true is better said now than waited for. */
function conditionFault(
  other: Declaration<'container'>,
  condition: Condition,
  context: ChartContext,
): Fault | undefined {
  if (condition === 'healthy' && other.data.health === undefined) {
    return bad(
      `${other.name} has no health check to wait for`,
      `give ${other.name} a health check, or wait for started`,
    )
  }
  if (condition !== 'completed') return undefined
  const policy = restartPolicyOf(other, context.memberships.get(other.name))
  if (policy === 'no' || policy === 'on-failure') return undefined
  return bad(
    `${other.name} is restarted ${policy}, so it never completes`,
    `give ${other.name} restartPolicy: no`,
  )
}

function initNeeds(container: Declaration<'container'>, context: ChartContext): readonly Need[] {
  const own = context.memberships.get(container.name)
  if (own === undefined) return []
  const first = [...context.memberships.values()].filter(
    (other) => other.pod === own.pod && other.init !== undefined,
  )
  const before = own.init === undefined ? first : first.slice(0, first.indexOf(own))
  return before.map((other) => ({ ref: other.container.ref, until: 'completed', renew: false }))
}
