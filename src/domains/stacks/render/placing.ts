/** Where on the engine's host the snapshot's own files are found. By hand they lie where they are. */
import { normalize } from 'node:path/posix'
import { recordOf, recordsOf, textOf } from '#clients/http/read.ts'
import type { JsonRecord } from '#model/json.ts'
import { isBelow } from '#model/policy.ts'
import type { Placed, StackInput } from '../stack-input.ts'

export type Placing = {
  /** The path to give to the engine. What is not the snapshot's own stays as it is. */
  at(path: string, isWritable: boolean): string
  /** The path where whoever sends it to the engine reads it. */
  contextAt(path: string): string
  /** All that was asked for so far, once each. */
  placed(): readonly Placed[]
}

/** What the project's files may name without asking anybody. */
export function rootOf({ load }: StackInput, workingDirectory: string): string {
  return load.confinedTo ?? load.projectDirectory ?? workingDirectory
}

/**
 * A path that is bound writable anywhere in the project has one place for all who bind it or a folder above it: whoever reads
 * there must see what is written there. What is below it and only read is a copy of its own, which shows what the commit
 * has: nothing is bound from inside a folder that a container may write, unless the operator lets it.
 */
export function placingOf(input: StackInput, root: string, model: JsonRecord): Placing {
  const { place, policy } = input
  const sharesBelow = policy.outsideBinds !== 'deny'
  const found = new Map<string, Placed>()
  if (place === undefined)
    return { at: (path) => path, contextAt: (path) => path, placed: () => [] }
  const written = writablePaths(model)
  const tidy = (path: string): string => normalize(path).replace(/(.)\/+$/, '$1')
  return {
    contextAt(path) {
      const own = tidy(path)
      if (!isBelow(own, root)) return path
      const how = { isWritable: false, isContext: true }
      const hostPath = place(own, how)
      found.set(`context ${hostPath}`, { hostPath, path: own, ...how })
      return hostPath
    },
    at(path, isWritable) {
      const own = tidy(path)
      if (!isBelow(own, root)) return path
      const isShared =
        isWritable ||
        written.some((other) => isBelow(other, own) || (sharesBelow && isBelow(own, other)))
      const hostPath = place(own, { isWritable: isShared })
      found.set(hostPath, { hostPath, path: own, isWritable: isShared })
      return hostPath
    },
    placed: () => [...found.values()],
  }
}

function writablePaths(model: JsonRecord): readonly string[] {
  const binds = Object.values(recordOf(model['services'])).flatMap((service) =>
    recordsOf(recordOf(service)['volumes']).filter(
      (volume) => volume['type'] === 'bind' && volume['read_only'] !== true,
    ),
  )
  const devices = Object.values(recordOf(model['volumes'])).map((volume) => deviceOf(volume))
  const paths = [...binds.map(({ source }) => textOf(source)), ...devices]
  return paths.flatMap((path) => (path?.startsWith('/') === true ? [normalize(path)] : []))
}

/** Of a local volume that is a bind in disguise. */
export function deviceOf(volume: unknown): string | undefined {
  const { device, o: options } = recordOf(recordOf(volume)['driver_opts'])
  return /(?:^|,)r?bind(?:,|$)/.test(textOf(options)) ? textOf(device) : undefined
}
