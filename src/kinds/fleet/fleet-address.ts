/** Where a fleet is: its table and its fleet.yaml, as one text that can stand for a target. */
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { FleetAround } from './around.ts'

export type FleetPlace = {
  readonly database: string
  /** The settings file, where it is not the one beside the database. */
  readonly config: string | undefined
}

const mark = '?config='

/** `/var/lib/tend/fleet.db`, or `/var/lib/tend/fleet.db?config=/etc/tend/lab.yaml`. */
export function targetOf({
  database,
  config,
}: {
  readonly database: string | undefined
  readonly config: string | undefined
}): string {
  return `${database ?? ''}${config === undefined ? '' : `${mark}${encodeURIComponent(config)}`}`
}

export function placeIn(
  target: string | undefined,
  around: Pick<FleetAround, 'environment' | 'home'>,
): FleetPlace {
  const text = target ?? ''
  const at = text.lastIndexOf(mark)
  const [database, config] =
    at < 0
      ? [text, undefined]
      : [text.slice(0, at), decodeURIComponent(text.slice(at + mark.length))]
  return { database: databaseAt(database === '' ? undefined : database, around), config }
}

/** The fleet.yaml that counts. `isThere` is false where there is none: then the defaults of the programs hold. */
export function settingsFileOf({ database, config }: FleetPlace): {
  readonly file: string
  readonly isThere: boolean
} {
  const file = config === undefined ? join(dirname(database), 'fleet.yaml') : resolve(config)
  return { file, isThere: existsSync(file) }
}

/** `given` is the file that the user named. */
export function databaseAt(
  given: string | undefined,
  { environment, home }: Pick<FleetAround, 'environment' | 'home'>,
): string {
  const named = given ?? environment['TEND_FLEET_DB'] ?? ''
  return named === '' ? join(home, 'fleet.db') : resolve(named)
}
