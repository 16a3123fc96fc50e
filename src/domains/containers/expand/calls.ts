/** Single calls that are told alike for every engine; `program` is the command that a person would type. */
import type { Operation } from '#model/plan.ts'
import { operationOf } from '../operation.ts'

/** `name` may be an id; `shown` is what a person calls the container. */
export type Calls = {
  readonly program: 'docker' | 'podman'
  readonly rename: (id: string, name: string, from: string, to: string) => Operation
  readonly stop: (id: string, name: string, shown: string, seconds: number) => Operation
  readonly unpause: (name: string, shown: string) => Operation
  /** `unless`: the one that must stay, should it have the name. */
  readonly remove: (
    id: string,
    name: string,
    shown: string,
    seconds: number,
    unless?: string,
  ) => Operation
  readonly disconnect: (network: string, container: string, shown: string, id?: string) => Operation
  /** The old container keeps its address on the network, so requests under way go on; its names no longer resolve to it. */
  readonly unname: (network: string, container: string, shown: string) => Operation
  readonly drain: (container: string, shown: string, seconds: number) => Operation
  /** `object`: its id, where it was there before; what was made in this run goes by its name, if it is ours. */
  readonly removeNetwork: (id: string, name: string, object?: string) => Operation
  /** `owner`: whose it has to be; undefined: it was taken over, and has the labels of somebody else. */
  readonly removeVolume: (name: string, owner: string | undefined) => Operation
}

export function callsWith(program: 'docker' | 'podman'): Calls {
  return {
    program,
    rename: (id, name, from, to) =>
      operationOf({
        id,
        verb: 'container.rename',
        payload: { name, to },
        words: `Renaming container ${from} to ${to}`,
        command: `${program} rename ${from} ${to}`,
      }),
    stop: (id, name, shown, seconds) =>
      operationOf({
        id,
        verb: 'container.stop',
        payload: { name, seconds },
        words: `Stopping container ${shown}`,
        command: `${program} stop -t ${seconds} ${shown}`,
        disrupts: true,
      }),
    unpause: (name, shown) =>
      operationOf({
        id: 'unpause',
        verb: 'container.unpause',
        payload: { name },
        words: `Unpausing container ${shown}`,
        command: `${program} unpause ${shown}`,
      }),
    remove: (id, name, shown, seconds, unless) =>
      operationOf({
        id,
        verb: 'container.remove',
        payload: { name, seconds, ...(unless === undefined ? {} : { unless }) },
        words: `Removing container ${shown}`,
        // docker's command knows no time to end
        command: `${program} rm -f ${program === 'podman' ? `-t ${seconds} ` : ''}${shown}`,
      }),
    disconnect: (network, container, shown, id = `disconnect-${network}`) =>
      operationOf({
        id,
        verb: 'network.disconnect',
        payload: { network, container },
        words: `Disconnecting container ${shown} from network ${network}`,
        command: `${program} network disconnect ${network} ${shown}`,
      }),
    unname: (network, container, shown) =>
      operationOf({
        id: `unname-${network}`,
        verb: 'network.unname',
        payload: { network, container },
        words: `Taking container ${shown} out of the names of network ${network}`,
        command: `${program} network disconnect ${network} ${shown} && ${program} network connect ${program === 'podman' ? '--ip … --mac-address … ' : ''}${network} ${shown}`,
      }),
    drain: (container, shown, seconds) =>
      operationOf({
        id: 'drain',
        verb: 'container.drain',
        payload: { name: container, seconds },
        words: `Waiting until container ${shown} has answered`,
        command: 'nsenter -t PID -n ss -t state established',
      }),
    removeNetwork: (id, name, object) =>
      operationOf({
        id,
        verb: 'network.remove',
        payload: { name, ...(object ? { object } : {}) },
        words: `Removing network ${name}`,
        command: `${program} network rm ${name}`,
      }),
    removeVolume: (name, owner) =>
      operationOf({
        id: 'remove',
        verb: 'volume.remove',
        payload: { name, ...(owner === undefined ? {} : { owner }) },
        words: `Removing volume ${name}`,
        command: `${program} volume rm ${name}`,
      }),
  }
}
