/** The drift signals of each kind, as `observe` writes them and `compare` and `expand` read them. */
import { numberOf, recordOf, textOf, textsOf } from '#model/read-json.ts'
import {
  liveContainerIn,
  livePorts,
  type LiveContainer as AnyContainer,
  type LivePort,
} from '#domains/containers/live-state.ts'
import type { Json } from '#model/json.ts'

export type LiveContainer = AnyContainer & {
  readonly pod: string
  /** Whether what holds its pod's network has stopped: its members start anew. */
  readonly isPodDown: boolean
  /** Seconds; when it last started. */
  readonly startedAt: number
}

export type LivePod = {
  readonly id: string
  readonly name: string
  readonly infraId: string
  readonly infraState: string
  readonly networks: readonly string[]
  readonly ports: readonly LivePort[]
  readonly running: readonly string[]
}

export type LiveSecret = {
  /** Key to object. */
  readonly objects: Readonly<Record<string, string>>
  readonly missing: readonly string[]
}

export type LiveNetwork = {
  readonly id: string
  readonly name: string
  /** Ids of the containers on it, ours and others. */
  readonly attached: readonly string[]
}

export type LiveVolume = {
  readonly hasObject: boolean
  readonly name: string
  readonly driver: string
  /** Where the application came from that made it. */
  readonly source?: string
}

export function liveContainer(json: Json): LiveContainer {
  const live = recordOf(json)
  return {
    ...liveContainerIn(live),
    pod: textOf(live['pod']),
    isPodDown: live['isPodDown'] === true,
    startedAt: numberOf(live['startedAt']),
  }
}

export function livePod(json: Json): LivePod {
  const live = recordOf(json)
  return {
    id: textOf(live['id']),
    name: textOf(live['name']),
    infraId: textOf(live['infraId']),
    infraState: textOf(live['infraState']),
    networks: textsOf(live['networks']),
    ports: livePorts(live['ports']),
    running: textsOf(live['running']),
  }
}

export function liveSecret(json: Json): LiveSecret {
  const live = recordOf(json)
  const objects = Object.entries(recordOf(live['objects']))
  return {
    objects: Object.fromEntries(objects.map(([key, name]) => [key, textOf(name)])),
    missing: textsOf(live['missing']),
  }
}

export function liveNetwork(json: Json): LiveNetwork {
  const live = recordOf(json)
  return {
    id: textOf(live['id']),
    name: textOf(live['name']),
    attached: textsOf(live['attached']),
  }
}

export function liveVolume(json: Json): LiveVolume {
  const live = recordOf(json)
  return {
    hasObject: live['hasObject'] === true,
    name: textOf(live['name']),
    driver: textOf(live['driver']),
  }
}

/** The container ran before, and does not run now. */
export function isDown(state: string): boolean {
  return state === 'exited' || state === 'stopped'
}
