/** The single calls that groups of containers are put together from. */
import { callsWith } from '#domains/containers/expand/calls.ts'
import type { Gate, Operation } from '#model/plan.ts'
import { operation } from './operation.ts'
import type { ContainerSpec } from '../spec.ts'

export const calls = callsWith('podman')

/** What must be true before the run may go on. */
export function gateOf(spec: ContainerSpec): Gate {
  if (spec.init !== undefined) return 'completed'
  return spec.health === undefined ? 'started' : 'healthy'
}

const defaultTimeout = 10

export function timeoutOf(spec: ContainerSpec | undefined): number {
  return spec?.stopTimeoutSeconds ?? defaultTimeout
}

/** `name` may be an id; `shown` is what a person calls it. */
export function startOperation(
  name: string,
  shown: string,
  spec: ContainerSpec,
  id = 'start',
): Operation {
  const ports = spec.ports.filter(({ hostPort }) => hostPort !== 0)
  return operation({
    id,
    verb: 'container.start',
    payload: { name, ports },
    words: `Starting container ${shown}`,
    command: `podman start ${shown}`,
  })
}

export function connectOperation(
  network: string,
  container: string,
  shown: string,
  aliases: readonly string[] | undefined,
  id = `connect-${network}`,
): Operation {
  const flags = (aliases ?? []).map((alias) => `--alias ${alias} `).join('')
  return operation({
    id,
    verb: 'network.connect',
    payload: { network, container, ...(aliases === undefined ? {} : { aliases }) },
    words: `Connecting container ${shown} to network ${network}`,
    command: `podman network connect ${flags}${network} ${shown}`,
  })
}
