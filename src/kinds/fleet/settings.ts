/** Reads fleet.yaml, beside the database or where --config says. Without the file the defaults of the programs hold. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Problem } from '#model/problem.ts'
import { settingsIn, type FleetSettings, type SecretPlace } from '#domains/fleet/settings.ts'
import type { FleetAround } from './around.ts'

/** `given`: another file than the one beside the database. */
export function settingsAt(database: string, given: string | undefined): FleetSettings {
  const file = given === undefined ? join(dirname(database), 'fleet.yaml') : resolve(given)
  if (!existsSync(file)) {
    if (given === undefined) return {}
    throw unreadable(file, 'there is no such file')
  }
  const { settings, problems } = settingsIn(textOf(file), file)
  const [first, ...rest] = problems
  if (first === undefined) return settings
  const details = rest.map(({ message, at }) => `${at?.line ?? 1}: ${message}`)
  throw new Problem({ ...first, details })
}

/** The namespace of a fleet that is a copy beside others. Where the settings have none, the variable of the original programs counts. */
export function namespaceOf(
  { namespace }: FleetSettings,
  { environment }: Pick<FleetAround, 'environment'>,
) {
  const given = namespace ?? environment['KINDLER_NS'] ?? ''
  if (given === '' || /^[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?$/.test(given)) return given || undefined
  throw new Problem({
    type: 'configuration',
    code: 'values_error',
    message: `KINDLER_NS ${JSON.stringify(given)} can't be a namespace`,
    suggestion: 'use small letters, digits and dashes, or unset it',
  })
}

/** Reads a secret when it is needed. It is kept nowhere. */
export function secretIn(
  place: SecretPlace,
  key: string,
  { environment }: Pick<FleetAround, 'environment'>,
): string {
  if ('file' in place) return textIn(place.file, `${key}.file`).trim()
  const value = environment[place.variable] ?? ''
  if (value !== '') return value
  throw new Problem({
    type: 'configuration',
    code: 'declaration_error',
    message: `the variable ${place.variable}, which fleet.yaml names under ${key}, is not set`,
    suggestion: 'set it, or name another variable or a file',
  })
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw unreadable(file, cause instanceof Error ? cause.message : String(cause))
  }
}

/** A file that fleet.yaml names under this key. */
export function textIn(file: string, key: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new Problem({
      type: 'configuration',
      code: 'not_found',
      message: `what fleet.yaml names under ${key} can't be read: ${why}`,
      suggestion: 'see that the file is there and may be read, or name another one',
      cause,
    })
  }
}

export function unreadable(file: string, why: string): Problem {
  return new Problem({
    type: 'configuration',
    code: 'not_found',
    message: `${file} can't be read: ${why}`,
    suggestion: 'name another file with --config',
  })
}

export function missing(part: string, field: string): never {
  throw new Problem({
    type: 'configuration',
    code: 'declaration_error',
    message: `fleet.yaml says ${part} and no ${field}`,
    suggestion: 'see docs/fleet.md for all that it takes',
  })
}
