/** The restart policy of a container, from any of its spellings, or from its pod. */
import type { Declaration } from './declaration.ts'
import type { Membership } from './pod-members.ts'
import { bad } from '#formats/schema/rule.ts'
import type { ContainerSpec } from '../spec.ts'

type Policy = ContainerSpec['restartPolicy']

/** Alone: `no`, as Podman has it. In a pod: the pod's, which is `always` when it says nothing. */
export function restartPolicyOf(
  container: Declaration<'container'>,
  membership: Membership | undefined,
): Policy {
  const own = policyOf(container.data.restartPolicy)
  if (membership === undefined) return own ?? 'no'
  if (membership.init === undefined)
    return own ?? policyOf(membership.pod.data.restartPolicy) ?? 'always'
  if (own !== undefined && own !== 'no') {
    const fault = bad('an init container runs once to its end, so it is not restarted')
    container.report(['restartPolicy'], fault)
  }
  return 'no'
}

function policyOf(written: string | boolean | undefined): Policy | undefined {
  if (written === undefined) return undefined
  switch (String(written).toLowerCase()) {
    case 'always':
      return 'always'
    case 'unless-stopped':
      return 'unless-stopped'
    case 'on-failure':
    case 'onfailure':
      return 'on-failure'
    default:
      return 'no'
  }
}
