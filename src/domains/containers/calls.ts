/** Calls that are told alike for every engine; `program` is the command that a person would type. */
import type { Operation } from '#model/plan.ts'
import { operationOf } from './operation.ts'

export type Calls = {
  readonly rename: (id: string, name: string, from: string, to: string) => Operation
  /** `shown` is what a person calls the container. */
  readonly disconnect: (network: string, container: string, shown: string, id?: string) => Operation
}

export function callsWith(program: 'docker' | 'podman'): Calls {
  return {
    rename: (id, name, from, to) =>
      operationOf({
        id,
        verb: 'container.rename',
        payload: { name, to },
        words: `Renaming container ${from} to ${to}`,
        command: `${program} rename ${from} ${to}`,
      }),
    disconnect: (network, container, shown, id = `disconnect-${network}`) =>
      operationOf({
        id,
        verb: 'network.disconnect',
        payload: { network, container },
        words: `Disconnecting container ${shown} from network ${network}`,
        command: `${program} network disconnect ${network} ${shown}`,
      }),
  }
}
