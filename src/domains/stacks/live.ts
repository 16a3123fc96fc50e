/** The drift signals of each kind, as `observe` writes them and `compare` and `expand` read them. */
import { numberOf, recordOf, recordsOf, textOf, textsOf } from '#clients/http/read.ts'
import type { Json } from '#model/json.ts'

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
  /** As the list tells it; '' without a health check. */
  readonly health: string
  readonly imageId: string
  /** The id that its image's name has now; '' when the name is not there. */
  readonly tagId: string
  /** Those that it is really on: a network made anew under the same name is another one. */
  readonly networks: readonly string[]
  readonly ports: readonly LivePort[]
  /** Volumes without a name of the user's: their data goes on to whoever replaces this one. */
  readonly anonymous: readonly { readonly volume: string; readonly target: string }[]
}

/** One that was left by a run that was killed, under another name. */
export type Spare = { readonly id: string; readonly name: string; readonly state: string }

/** Ids of the containers on it, ours and others. */
export type LiveNetwork = {
  readonly id: string
  readonly name: string
  readonly attached: readonly string[]
  /** Names of those that are not of this application. */
  readonly strangers: readonly string[]
}

export type LiveVolume = { readonly name: string }

export function liveContainer(json: Json): LiveContainer {
  const live = recordOf(json)
  return {
    id: textOf(live['id']),
    name: textOf(live['name']),
    state: textOf(live['state']),
    exitCode: numberOf(live['exitCode']),
    health: textOf(live['health']),
    imageId: textOf(live['imageId']),
    tagId: textOf(live['tagId']),
    networks: textsOf(live['networks']),
    ports: recordsOf(live['ports']).map((port) => ({
      hostPort: numberOf(port['hostPort']),
      protocol: textOf(port['protocol']),
      hostIP: textOf(port['hostIP']),
    })),
    anonymous: recordsOf(live['anonymous']).map((mount) => ({
      volume: textOf(mount['volume']),
      target: textOf(mount['target']),
    })),
  }
}

export function liveNetwork(json: Json): LiveNetwork {
  const live = recordOf(json)
  return {
    id: textOf(live['id']),
    name: textOf(live['name']),
    attached: textsOf(live['attached']),
    strangers: textsOf(live['strangers']),
  }
}

export function liveVolume(json: Json): LiveVolume {
  return { name: textOf(recordOf(json)['name']) }
}

/** A spare is told as `name id state`: names and ids hold no blanks. */
export function spareText(spare: Spare): string {
  return `${spare.name} ${spare.id} ${spare.state}`
}

export function spareOf(told: string): Spare {
  const [name = '', id = '', state = ''] = told.split(' ')
  return { name, id, state }
}
