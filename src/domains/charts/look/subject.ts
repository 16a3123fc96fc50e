/** What `look` needs to know of a resource: which container it is, and when it counts as well. */
import { isRecord, type Json } from '#model/json.ts'
import type { ContainerSpec, HealthSpec } from '../spec.ts'

export type Subject = {
  readonly name: string
  /** Ending well is well. */
  readonly isOneShot: boolean
  /** Podman starts it again when it ends: one end is not yet a failure. */
  readonly restarts: boolean
  readonly health?: HealthSpec
  /** Host port by container port: how a check over HTTP may be reached from here. */
  readonly published: Readonly<Record<string, number>>
}

export function subjectOf(spec: ContainerSpec, name: string): Json {
  const isOneShot = isJob(spec)
  const published = spec.ports
    .filter(({ hostPort, protocol }) => hostPort !== 0 && protocol === 'tcp')
    .map(({ hostPort, containerPort }) => [containerPort, hostPort] as const)
  return {
    name,
    isOneShot,
    restarts: spec.init === undefined && spec.restartPolicy !== 'no',
    ...(spec.health === undefined ? {} : { health: spec.health }),
    published: Object.fromEntries(published),
  } satisfies Subject
}

/**
 * Ends by itself and is then done. What has a port or a health check is there to serve: ended is stopped, however well it
 * took its leave.
 */
export function isJob({ init, restartPolicy, ports, health }: ContainerSpec): boolean {
  if (init !== undefined) return true
  const mayEnd = restartPolicy === 'no' || restartPolicy === 'on-failure'
  return mayEnd && ports.length === 0 && health === undefined
}

export function readSubject(json: Json): Subject | undefined {
  return isSubject(json) ? json : undefined
}

function isSubject(json: Json): json is Subject & Json {
  return (
    isRecord<Json>(json) &&
    typeof json['name'] === 'string' &&
    typeof json['isOneShot'] === 'boolean'
  )
}
