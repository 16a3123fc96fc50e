/** Who holds a name or a host port that a resource wants, when it is not this application. */
import type { LivePort } from '#domains/containers/live-state.ts'
import { portHolderIn, type PortHolder } from '#domains/containers/observe/port-holder.ts'
import type { Labels } from '#domains/containers/record.ts'
import type { ProblemFacts } from '#model/problem.ts'
import { kindOf, nameOf, type Ref } from '#model/ref.ts'
import type { Resource } from '#model/resource.ts'
import { label } from '../labels.ts'
import { isSeen } from './all.ts'
import type { View } from './observe.ts'
import { secretObjects } from '../expand/object-names.ts'
import {
  containerSpecOf,
  networkSpecOf,
  podSpecOf,
  secretSpecOf,
  volumeSpecOf,
} from '../spec-of.ts'

export type Holder =
  | {
      readonly what: 'name'
      readonly kind: string
      readonly name: string
      readonly labels: Labels
      readonly isRunning?: boolean
    }
  | PortHolder<LivePort>

/** Only asked for what is absent: whatever then has its name is not its own. */
export function nameHolder(view: View, { ref, spec }: Resource): Holder | undefined {
  const { lists, owner } = view
  const kind = kindOf(ref)
  const among = (
    items: readonly {
      readonly name: string
      readonly labels: Labels
      readonly state?: string
    }[],
    names: readonly string[],
    of: string,
  ): Holder | undefined => {
    const found = items.find(
      ({ name, labels }) => names.includes(name) && labels[label.owner] !== owner,
    )
    if (found === undefined) return undefined
    const isRunning = found.state === 'running'
    return { what: 'name', kind: of, name: found.name, labels: found.labels, isRunning }
  }
  const containers = isSeen(lists.containers) ? lists.containers : []
  const pods = isSeen(lists.pods) ? lists.pods : []
  // containers and pods share one set of names
  if (kind === 'container' || kind === 'pod') {
    const { object } = kind === 'pod' ? podSpecOf(spec) : containerSpecOf(spec)
    return among(containers, [object], 'container') ?? among(pods, [object], 'pod')
  }
  if (kind === 'network') {
    const networks = isSeen(lists.networks) ? lists.networks : []
    return among(networks, [networkSpecOf(spec).object], kind)
  }
  if (kind === 'volume') {
    const { object, from } = volumeSpecOf(spec)
    const volumes = isSeen(lists.volumes) ? lists.volumes : []
    return from.kind === 'named' ? among(volumes, [object], kind) : undefined
  }
  const secrets = isSeen(lists.secrets) ? lists.secrets : []
  return among(secrets, Object.values(secretObjects(secretSpecOf(spec))), 'secret')
}

export function portHolder(view: View, { ref, spec }: Resource): Holder | undefined {
  const kind = kindOf(ref)
  if (kind !== 'container' && kind !== 'pod') return undefined
  const { containers } = view.lists
  if (!isSeen(containers)) return undefined
  const { ports } = kind === 'pod' ? podSpecOf(spec) : containerSpecOf(spec)
  const wanted = ports.map((port) => ({ ...port, hostIP: port.hostIP ?? '' }))
  return portHolderIn(containers, view.owner, wanted)
}

export function taken(ref: Ref, holder: Holder): ProblemFacts {
  const whose = whoseIs(holder.labels)
  if (holder.what === 'port') {
    const { hostPort, protocol } = holder.port
    return {
      type: 'runtime',
      code: 'port_taken',
      ref,
      message: `host port ${hostPort}/${protocol} is held by container ${holder.name}${whose.replace(' and belongs to', ' of')}`,
      suggestion: `choose another hostPort for ${nameOf(ref)}, or ${removalOf(holder.labels, `stop it: podman stop ${holder.name}`)}`,
    }
  }
  const { kind, name } = holder
  const removal = kind === 'volume' ? `if its data may go, remove it` : 'remove it'
  // without it Podman refuses one that runs
  const force = holder.isRunning === true ? ' -f' : ''
  return {
    type: 'runtime',
    code: 'name_taken',
    ref,
    message: `a ${kind} named ${name} exists already${whose === '' ? ' and was not made by this application' : whose}`,
    suggestion: `rename ${nameOf(ref)}, install with -n NAMESPACE, or ${removalOf(holder.labels, `${removal}: podman ${kind} rm${force} ${name}`)}`,
  }
}

/** What belongs to another chart goes with that chart, not by hand. */
function removalOf(labels: Labels, byHand: string): string {
  const chart = labels[label.chart]
  if (labels[label.owner] === undefined || chart === undefined) return byHand
  return `uninstall the other chart: tend uninstall ${chart}`
}

function whoseIs(labels: Labels): string {
  const chart = labels[label.chart]
  if (labels[label.owner] !== undefined) return ` and belongs to chart ${chart ?? '?'}`
  return chart === undefined ? '' : ` and belongs to chart ${chart}`
}
