/** What the project is called: by the caller, by a variable, by the files, else after its directory. */
import { basename } from 'node:path/posix'
import { failure, fileFailure } from '../compose-error.ts'
import { formatValue } from '../canonical/format-value.ts'
import { interpolate } from './interpolate.ts'
import { describe, text, type Node } from '../yaml/node.ts'
import { documentsOf, type Session } from './session.ts'
import type { Surroundings } from './load-options.ts'

export function projectNameOf(
  session: Session,
  { configFiles, workingDirectory, environment }: Surroundings,
  wished: string | undefined,
  normalizes: boolean,
): string {
  const imposed = wished || environment.get('COMPOSE_PROJECT_NAME')
  if (imposed) {
    if (normalizedName(imposed) === imposed) return imposed
    const advice = `use small letters, digits, "-" and "_", and start with a letter or a digit: ${normalizedName(imposed)}`
    throw fileFailure('', `"${imposed}" is not a valid project name`, advice)
  }
  const written = writtenName(session, configFiles)
  if (written === undefined) return normalizedName(basename(workingDirectory))
  const lookup = (name: string) => environment.get(name)
  const node = session.interpolates ? interpolate(written, { ...session, lookup }) : written
  const value = formatValue(node)
  const name = normalizes ? normalizedName(value) : value
  if (name !== '') return name
  throw failure(
    written.place,
    `nothing is left of the project name "${value}"`,
    'use small letters and digits',
  )
}

export function normalizedName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]/g, '')
    .replace(/^[_-]+/, '')
}

/** The last name that a document gives; the files name the project only if a first document does. */
function writtenName(session: Session, files: readonly string[]): Node | undefined {
  let found: Node | undefined
  let isNamed = false
  for (const file of files) {
    for (const [index, { root }] of documentsOf(session, file, undefined).entries()) {
      const name = nameIn(root)
      if (name === undefined) continue
      if (index === 0) isNamed = true
      found = name
    }
  }
  return isNamed ? found : undefined
}

function nameIn(root: Node): Node | undefined {
  if (root.kind === 'null') return undefined
  if (root.kind !== 'map') {
    throw failure(root.place, `a Compose file must be a mapping, not ${describe(root)}`)
  }
  const name = root.entries.get('name')
  if (name === undefined || name.kind === 'null') return undefined
  if (name.kind === 'list' || name.kind === 'map') throw failure(name.place, 'name must be text')
  return formatValue(name) === '' ? undefined : text(formatValue(name), name.place)
}
