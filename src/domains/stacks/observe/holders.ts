/** Who holds a name or a host port that a resource wants, when it is not this application. */
import { holds } from '#domains/containers/host-ports.ts'
import type { Labels } from '#domains/containers/record.ts'
import type { ProblemFacts } from '#model/problem.ts'
import { kindOf, nameOf, type Ref } from '#model/ref.ts'
import type { Resource } from '#model/resource.ts'
import { label } from '../labels.ts'
import { hostPortsOf, type HostPort } from '../host-ports.ts'
import { networkSpecOf, serviceSpecOf, volumeSpecOf } from '../spec-of.ts'
import type { View } from './observe.ts'

export type Holder =
  | { readonly what: 'name'; readonly kind: string; readonly name: string; readonly labels: Labels }
  | {
      readonly what: 'port'
      readonly port: HostPort
      readonly name: string
      readonly labels: Labels
    }

type Named = { readonly name: string; readonly labels: Labels }

/** Only asked for what is absent: whatever then has its name is not its own. */
export function nameHolder({ lists, owner }: View, { ref, spec }: Resource): Holder | undefined {
  const kind = kindOf(ref)
  const among = (items: readonly Named[], object: string): Holder | undefined => {
    const found = items.find(({ name, labels }) => name === object && labels[label.owner] !== owner)
    return found && { what: 'name', kind, name: found.name, labels: found.labels }
  }
  if (kind === 'container') return among(lists.containers, serviceSpecOf(spec).object)
  if (kind === 'network') return among(lists.networks, networkSpecOf(spec).object)
  return among(lists.volumes, volumeSpecOf(spec).object)
}

/** Others of this application are not told here: the plan knows whether they make room. */
export function portHolder(view: View, { ref, spec }: Resource): Holder | undefined {
  const { containers } = view.lists
  if (kindOf(ref) !== 'container') return undefined
  // a range leaves the choice to the engine
  const wanted = hostPortsOf(serviceSpecOf(spec)).filter(({ hostPort }) => hostPort !== 0)
  if (wanted.length === 0) return undefined
  for (const other of containers) {
    if (other.state !== 'running' || other.labels[label.owner] === view.owner) continue
    const port = wanted.find((candidate) => holds(other.ports, candidate))
    if (port !== undefined) return { what: 'port', port, name: other.name, labels: other.labels }
  }
  return undefined
}

export function taken(ref: Ref, holder: Holder): ProblemFacts {
  const whose = whoseIs(holder.labels)
  if (holder.what === 'port') {
    const { hostPort, protocol } = holder.port
    return {
      type: 'runtime',
      code: 'port_taken',
      ref,
      message: `host port ${hostPort}/${protocol} is held by container ${holder.name}${whose}`,
      suggestion: `stop it (docker stop ${holder.name}) or publish another port for ${nameOf(ref)}`,
    }
  }
  const { kind, name, labels } = holder
  const isComposes = labels[label.project] !== undefined && labels[label.owner] === undefined
  const removal = kind === 'volume' ? `if its data may go, remove it` : 'remove it'
  return {
    type: 'runtime',
    code: 'name_taken',
    ref,
    message: `a ${kind} named ${name} is there already${whose === '' ? ' and was not made by this stack' : whose}`,
    suggestion: isComposes
      ? 'take over what docker compose started with --adopt, or choose another project name with -p'
      : `${removal} (docker ${kind} rm ${name}), or choose another project name with -p`,
  }
}

function whoseIs(labels: Labels): string {
  const project = labels[label.project]
  if (labels[label.owner] !== undefined)
    return ` of stack ${project ?? '?'} (${labels[label.owner]})`
  return project === undefined ? '' : ` of Compose project ${project}`
}
