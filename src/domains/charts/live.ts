/** The drift signals of each kind, as `observe` writes them and `compare` and `expand` read them. */
import { isList, isRecord, type Json, type JsonRecord } from '#model/json.ts'

export type LivePort = {
  readonly hostPort: number
  readonly protocol: string
  readonly hostIP: string
}

export type LiveContainer = {
  readonly id: string
  readonly name: string
  readonly state: string
  readonly exitCode: number
  readonly imageId: string
  /** The id that its image's name has now; '' when the name is not there. */
  readonly tagId: string
  readonly networks: readonly string[]
  readonly ports: readonly LivePort[]
  readonly pod: string
  /** Whether what holds its pod's network has stopped: its members start anew. */
  readonly isPodDown: boolean
  /** Seconds; when it last started. */
  readonly startedAt: number
}

/** One that was left by a run that was killed, under another name. */
export type Spare = { readonly id: string; readonly name: string; readonly state: string }

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
  readonly name: string
  /** Ids of the containers on it, ours and others. */
  readonly attached: readonly string[]
}

export type LiveVolume = {
  readonly hasObject: boolean
  readonly name: string
  readonly driver: string
}

export function liveContainer(json: Json): LiveContainer {
  const live = recordIn(json)
  return {
    id: text(live['id']),
    name: text(live['name']),
    state: text(live['state']),
    exitCode: number(live['exitCode']),
    imageId: text(live['imageId']),
    tagId: text(live['tagId']),
    networks: texts(live['networks']),
    ports: ports(live['ports']),
    pod: text(live['pod']),
    isPodDown: live['isPodDown'] === true,
    startedAt: number(live['startedAt']),
  }
}

export function livePod(json: Json): LivePod {
  const live = recordIn(json)
  return {
    id: text(live['id']),
    name: text(live['name']),
    infraId: text(live['infraId']),
    infraState: text(live['infraState']),
    networks: texts(live['networks']),
    ports: ports(live['ports']),
    running: texts(live['running']),
  }
}

export function liveSecret(json: Json): LiveSecret {
  const live = recordIn(json)
  const objects = Object.entries(recordIn(live['objects'] ?? null))
  return {
    objects: Object.fromEntries(objects.map(([key, name]) => [key, text(name)])),
    missing: texts(live['missing']),
  }
}

export function liveNetwork(json: Json): LiveNetwork {
  const live = recordIn(json)
  return { name: text(live['name']), attached: texts(live['attached']) }
}

export function liveVolume(json: Json): LiveVolume {
  const live = recordIn(json)
  return {
    hasObject: live['hasObject'] === true,
    name: text(live['name']),
    driver: text(live['driver']),
  }
}

/** It ran before, and does not now. */
export function isDown(state: string): boolean {
  return state === 'exited' || state === 'stopped'
}

/** A spare is told as `name id state`: names and ids hold no blanks. */
export function spareText(spare: Spare): string {
  return `${spare.name} ${spare.id} ${spare.state}`
}

export function spareOf(told: string): Spare {
  const [name = '', id = '', state = ''] = told.split(' ')
  return { name, id, state }
}

function recordIn(json: Json): JsonRecord {
  return isRecord<Json>(json) ? json : {}
}

function text(json: Json | undefined): string {
  return typeof json === 'string' ? json : ''
}

function number(json: Json | undefined): number {
  return typeof json === 'number' ? json : 0
}

function texts(json: Json | undefined): readonly string[] {
  return isList<Json>(json) ? json.filter((item) => typeof item === 'string') : []
}

function ports(json: Json | undefined): readonly LivePort[] {
  if (!isList<Json>(json)) return []
  return json.map((item) => {
    const port = recordIn(item)
    return {
      hostPort: number(port['hostPort']),
      protocol: text(port['protocol']),
      hostIP: text(port['hostIP']),
    }
  })
}
