/** Pods, with the state of what holds their network. */
import { spareText } from '#domains/containers/live-state.ts'
import type { ListedPod } from '#clients/podman/pods.ts'
import { recordedOf } from '#domains/containers/record.ts'
import type { Json } from '#model/json.ts'
import type { Ref } from '#model/ref.ts'
import type { Present } from '#model/resource.ts'
import { type LivePod } from '../live-state.ts'
import { isSeen } from './all.ts'
import { ownByRef } from '#domains/containers/observe/own.ts'
import type { View } from './observe.ts'
import { defined } from '#model/defined.ts'

export function observePods(view: View): ReadonlyMap<Ref, Present> {
  const { lists, owner } = view
  const found = new Map<Ref, Present>()
  if (!isSeen(lists.pods)) return found
  for (const [ref, own] of ownByRef(lists.pods, owner)) found.set(ref, present(view, own))
  return found
}

/** The newest one that has members, for a half-made new one has none yet; else the newest. */
function present(view: View, own: readonly ListedPod[]): Present {
  const [current, ...others] = own.toSorted(
    (one, other) => rank(one) - rank(other) || (one.createdAt < other.createdAt ? 1 : -1),
  )
  const pod = defined(current)
  return {
    kind: 'present',
    recorded: recordedOf(pod.labels),
    outputs: { object: pod.name },
    live: liveOf(view, pod),
    spares: others.map(({ name, id, state }) => spareText({ name, id, state })),
  }
}

function rank(pod: ListedPod): number {
  return pod.members.some(({ id }) => id !== pod.infraId) ? 0 : 1
}

function liveOf({ lists }: View, pod: ListedPod): Json {
  const containers = isSeen(lists.containers) ? lists.containers : []
  const infra = containers.find(({ id }) => id === pod.infraId)
  const members = new Set(pod.members.map(({ id }) => id))
  const running = containers.filter(
    ({ id, state }) => members.has(id) && id !== pod.infraId && state === 'running',
  )
  return {
    id: pod.id,
    name: pod.name,
    infraId: pod.infraId,
    infraState: infra?.state ?? '',
    networks: infra?.networks ?? pod.networks,
    ports: (infra?.ports ?? []).map(({ hostPort, protocol, hostIP }) => ({
      hostPort,
      protocol,
      hostIP,
    })),
    running: running.map(({ id }) => id),
  } satisfies LivePod
}
