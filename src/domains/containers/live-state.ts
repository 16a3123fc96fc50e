/** The drift signals that all containers have, as `observe` writes them and `compare` and `expand` read them. */
import { numberOf, recordsOf, textOf, textsOf } from '#model/read-json.ts'
import type { Json, JsonRecord } from '#model/json.ts'

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
  /** Those that it is really on: a network made anew under the same name is another one. */
  readonly networks: readonly string[]
  readonly ports: readonly LivePort[]
}

export function liveContainerIn(live: JsonRecord): LiveContainer {
  return {
    id: textOf(live['id']),
    name: textOf(live['name']),
    state: textOf(live['state']),
    exitCode: numberOf(live['exitCode']),
    imageId: textOf(live['imageId']),
    tagId: textOf(live['tagId']),
    networks: textsOf(live['networks']),
    ports: livePorts(live['ports']),
  }
}

export function livePorts(json: Json | undefined): readonly LivePort[] {
  return recordsOf(json).map((port) => ({
    hostPort: numberOf(port['hostPort']),
    protocol: textOf(port['protocol']),
    hostIP: textOf(port['hostIP']),
  }))
}

/** One that was left by a run that was killed, under another name. */
export type Spare = { readonly id: string; readonly name: string; readonly state: string }

/** A spare is told as `name id state`: names and ids hold no blanks. */
export function spareText(spare: Spare): string {
  return `${spare.name} ${spare.id} ${spare.state}`
}

export function spareOf(told: string): Spare {
  const [name = '', id = '', state = ''] = told.split(' ')
  return { name, id, state }
}
