/** Where on the engine's host the snapshot's own files are found. By hand they lie where they are. */
import { normalize } from 'node:path/posix'
import type { Project } from '#formats/compose/project.ts'
import type { Volume } from '#formats/compose/schema/file.ts'
import { isBelow } from '#model/policy.ts'
import type { Fill } from '../spec.ts'
import type { Placed, StackInput } from '../stack-input.ts'

export type Placing = {
  /** The path to give to the engine. What is not the snapshot's own stays as it is. */
  at(path: string, isWritable: boolean): string
  /** A place of the stack's own that is filled with the snapshot's files as they change; undefined: it can't have one. */
  kept(path: string): Fill | undefined
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
export function placingOf(input: StackInput, root: string, model: Project): Placing {
  const { place, policy } = input
  const sharesBelow = policy.outsideBinds !== 'deny'
  const found = new Map<string, Placed>()
  if (place === undefined)
    return {
      at: (path) => path,
      kept: () => undefined,
      contextAt: (path) => path,
      placed: () => [],
    }
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
    kept(path) {
      const own = tidy(path)
      const isShared = written.some((other) => isBelow(other, own) || isBelow(own, other))
      if (!isBelow(own, root) || isShared) return undefined
      const from = place(own, { isWritable: false })
      found.set(from, { hostPath: from, path: own, isWritable: false })
      return { from, to: place(own, { isWritable: true, isKept: true }) }
    },
    placed: () => [...found.values()],
  }
}

function writablePaths(model: Project): readonly string[] {
  const binds = Object.values(model.services).flatMap(({ volumes = [] }) =>
    volumes.filter((volume) => volume.type === 'bind' && volume.read_only !== true),
  )
  const devices = Object.values(model.volumes).map(deviceOf)
  const paths = [...binds.map(({ source }) => source), ...devices]
  return paths.flatMap((path) => (path?.startsWith('/') === true ? [normalize(path)] : []))
}

/** Of a local volume that is a bind in disguise. */
export function deviceOf({ driver_opts: given = {} }: Volume): string | undefined {
  const { device = '', o: options = '' } = given
  return /(?:^|,)r?bind(?:,|$)/.test(options) ? device : undefined
}
