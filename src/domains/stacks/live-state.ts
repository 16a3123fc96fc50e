/** The drift signals of each kind, as `observe` writes them and `compare` and `expand` read them. */
import {
  liveContainerIn,
  type LiveContainer as AnyContainer,
} from '#domains/containers/live-state.ts'
import { recordOf, recordsOf, textMapOf, textOf, textsOf } from '#model/read-json.ts'
import type { Json } from '#model/json.ts'
import type { Settings } from './settings.ts'

export type LiveContainer = AnyContainer & {
  /** As the list tells it; '' without a health check. */
  readonly health: string
  /** Volumes without a name of the user's: their data goes on to whoever replaces this one. */
  readonly anonymous: readonly { readonly volume: string; readonly target: string }[]
  /** What was changed by hand on the running container is in it; empty when nothing was. */
  readonly settings: Settings
  /** What it was given of changed files since it was made, by path. */
  readonly contents?: Readonly<Record<string, string>>
  /** It was taken over, and is not as it should be: why. */
  readonly differs?: string
}

/** Ids of the containers on it, ours and others. */
export type LiveNetwork = {
  readonly id: string
  readonly name: string
  readonly attached: readonly string[]
  /** Names of those that are not of this application. */
  readonly strangers: readonly string[]
  /** Where the application came from that made it. */
  readonly source?: string
}

export type LiveVolume = {
  readonly name: string
  readonly source?: string
  /** It was taken over, and does not carry our labels. */
  readonly isAdopted?: boolean
}

export function liveContainer(json: Json): LiveContainer {
  const live = recordOf(json)
  return {
    ...liveContainerIn(live),
    health: textOf(live['health']),
    settings: settingsOf(live['settings']),
    contents: textMapOf(live['contents']),
    anonymous: recordsOf(live['anonymous']).map((mount) => ({
      volume: textOf(mount['volume']),
      target: textOf(mount['target']),
    })),
  }
}

function settingsOf(value: Json | undefined): Settings {
  const own = Object.entries(recordOf(value)).flatMap(([name, one]) =>
    typeof one === 'string' || typeof one === 'number' ? [[name, one] as const] : [],
  )
  return Object.fromEntries(own)
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
  const live = recordOf(json)
  return { name: textOf(live['name']), isAdopted: live['isAdopted'] === true }
}
