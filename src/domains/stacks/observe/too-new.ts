/** What a file asks for and only newer engines can do: told before anything is touched. */
import { isAtLeast } from '#clients/docker/negotiate.ts'
import type { ProblemFacts } from '#model/problem.ts'
import { kindOf } from '#model/ref.ts'
import type { Resource } from '#model/resource.ts'
import type { NetworkSpec, ServiceSpec } from '../spec.ts'
import { networkSpecOf, serviceSpecOf } from '../spec-of.ts'

type Wish = { readonly what: string; readonly since: string; readonly engine: string }

export function tooNew(resource: Resource, apiVersion: string): ProblemFacts | undefined {
  const wish = wishesOf(resource).find(({ since }) => !isAtLeast(apiVersion, since))
  if (wish === undefined) return undefined
  return {
    type: 'validation',
    code: 'not_possible_here',
    ref: resource.ref,
    at: resource.origin,
    message: `${wish.what} needs version ${wish.since} of the engine's API; this one speaks ${apiVersion}`,
    suggestion: `take it out, or use Docker ${wish.engine} or newer`,
  }
}

function wishesOf({ ref, spec }: Resource): readonly Wish[] {
  if (kindOf(ref) === 'container') return [...ofService(serviceSpecOf(spec))]
  return kindOf(ref) === 'network' ? ofNetwork(networkSpecOf(spec)) : []
}

function* ofService({ service, mounts, networks }: ServiceSpec): Iterable<Wish> {
  if (service.annotations !== undefined) {
    yield { what: 'annotations', since: '1.43', engine: '24' }
  }
  if (service.healthcheck?.start_interval !== undefined) {
    yield { what: 'healthcheck.start_interval', since: '1.44', engine: '25' }
  }
  for (const { from } of mounts) {
    if (from.kind === 'volume' && from.subpath !== undefined) {
      yield { what: 'volume.subpath', since: '1.45', engine: '26' }
    }
    if (from.kind === 'bind' && ['readonly', 'writable'].includes(from.recursive ?? '')) {
      yield { what: `bind.recursive: ${from.recursive}`, since: '1.44', engine: '25' }
    }
    if (from.kind === 'image') yield { what: 'a mount of an image', since: '1.48', engine: '28' }
  }
  for (const { gatewayPriority, interfaceName } of networks) {
    if (gatewayPriority !== undefined) yield { what: 'gw_priority', since: '1.48', engine: '28' }
    if (interfaceName !== undefined) yield { what: 'interface_name', since: '1.49', engine: '28.1' }
  }
}

function ofNetwork({ hasIPv4 }: NetworkSpec): readonly Wish[] {
  return hasIPv4 === undefined ? [] : [{ what: 'enable_ipv4', since: '1.47', engine: '27' }]
}
