/** Who holds a name or a host port that a resource wants, when it is not this application. */
import { portHolderIn, type PortHolder } from '#domains/containers/observe/port-holder.ts'
import type { Labels } from '#domains/containers/record.ts'
import type { ProblemFacts } from '#model/problem.ts'
import { kindOf, nameOf, type Ref } from '#model/ref.ts'
import type { Absent, Present, Resource } from '#model/resource.ts'
import { label } from '../labels.ts'
import { hostPortsOf, type HostPort } from '../host-ports.ts'
import { networkSpecOf, serviceSpecOf, volumeSpecOf } from '../spec-of.ts'
import type { View } from './observe.ts'

export type Holder =
  | { readonly what: 'name'; readonly kind: string; readonly name: string; readonly labels: Labels }
  | PortHolder<HostPort>

type Named = { readonly name: string; readonly labels: Labels }

/**
 * What has the wanted name and is not this application's. A stack that is there already is asked too: the name that it has and the
 * one that is wanted now may differ. What is external belongs to others by declaration.
 */
export function nameHolder(
  { lists, owner }: View,
  { ref, spec }: Resource,
  seen: Absent | Present,
): Holder | undefined {
  const kind = kindOf(ref)
  const among = (items: readonly Named[], object: string): Holder | undefined => {
    if (seen.kind === 'present' && (seen.isGiven === true || seen.outputs['object'] === object))
      return undefined
    const found = items.find(({ name, labels }) => name === object && labels[label.owner] !== owner)
    return found && { what: 'name', kind, name: found.name, labels: found.labels }
  }
  if (kind === 'container') return among(lists.containers, serviceSpecOf(spec).object)
  if (kind === 'network') return among(lists.networks, networkSpecOf(spec).object)
  return among(lists.volumes, volumeSpecOf(spec).object)
}

export function portHolder({ lists, owner }: View, { ref, spec }: Resource): Holder | undefined {
  if (kindOf(ref) !== 'container') return undefined
  return portHolderIn(lists.containers, owner, hostPortsOf(serviceSpecOf(spec)))
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
  const files = isComposes ? (labels[label.configFiles] ?? '') : ''
  const from = files === '' ? '' : ` (made from ${files})`
  const removal = kind === 'volume' ? `if its data may go, remove it` : 'remove it'
  return {
    type: 'runtime',
    code: 'name_taken',
    ref,
    message: `a ${kind} named ${name} is there already${whose === '' ? ' and was not made by this stack' : whose}${from}`,
    suggestion: isComposes
      ? 'take over what docker compose started with --adopt (of the service: tend sync NAME --adopt, or adopt: matching or all in tend.yaml), or choose another project name'
      : `${removal} (docker ${kind} rm ${name}), or give it another name in the file; -p names the whole project anew (of the service: the name of the application)`,
  }
}

function whoseIs(labels: Labels): string {
  const project = labels[label.project]
  if (labels[label.owner] !== undefined)
    return ` of stack ${project ?? '?'} (${labels[label.owner]})`
  return project === undefined ? '' : ` of Compose project ${project}`
}
