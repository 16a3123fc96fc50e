/** Names the line of the Compose file that asks for a file, where that file can't be read: a link that leads out, say. */
import { dirname, normalize, resolve } from 'node:path/posix'
import type { Project } from '#formats/compose/project.ts'
import { factsOf, Problem, type Place } from '#model/problem.ts'
import type { StackInput } from '../stack-input.ts'
import { deviceOf } from './placing.ts'
import type { Path } from './stage.ts'

/** The place of the file, or of the nearest folder above it that is asked for. */
export type PlaceOfFile = (path: string) => Place | undefined

export function placesOfFiles(model: Project, placeOf: (path: Path) => Place): PlaceOfFile {
  const known = new Map<string, Path>()
  const note = (file: string | undefined, path: Path): void => {
    if (file?.startsWith('/') === true && !known.has(normal(file))) known.set(normal(file), path)
  }
  for (const [name, { volumes = [], build }] of Object.entries(model.services)) {
    const path = ['services', name]
    volumes.forEach(({ type, source }, index) => {
      if (type === 'bind') note(source, [...path, 'volumes', index])
    })
    const { context = '', dockerfile = '' } = build ?? {}
    note(context, [...path, 'build', 'context'])
    if (dockerfile !== '') note(resolve(context, dockerfile), [...path, 'build', 'dockerfile'])
  }
  for (const [name, volume] of Object.entries(model.volumes)) {
    note(deviceOf(volume), ['volumes', name, 'driver_opts'])
  }
  return (path) => {
    for (let at = normal(path); at !== '/' && at !== '.'; at = dirname(at)) {
      const found = known.get(at)
      if (found !== undefined) return placeOf(found)
    }
    return undefined
  }
}

function normal(path: string): string {
  const whole = normalize(path)
  return whole.length > 1 && whole.endsWith('/') ? whole.slice(0, -1) : whole
}

/** The same input, whose refusals name the line. */
export function withPlaces(input: StackInput, placeOf: PlaceOfFile): StackInput {
  const { load, list, place } = input
  function told<Args extends readonly unknown[], Answer>(
    work: (path: string, ...more: Args) => Answer,
  ): (path: string, ...more: Args) => Answer {
    return (path, ...more) => {
      try {
        return work(path, ...more)
      } catch (error) {
        const at = placeOf(path)
        if (!(error instanceof Problem) || error.at !== undefined || at === undefined) throw error
        throw new Problem({ ...factsOf(error), at })
      }
    }
  }
  const { files } = load
  const read = told((path) => files.read(path))
  const isDirectory = told((path) => files.isDirectory(path))
  return {
    ...input,
    load: { ...load, files: { ...files, read, isDirectory } },
    ...(list === undefined ? {} : { list: told(list) }),
    ...(place === undefined ? {} : { place: told(place) }),
  }
}
