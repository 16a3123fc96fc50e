/** A runtime where none was found: that is told when it is needed, not before. */
import type { Kind } from '#model/domain.ts'
import { problemOf, type Problem } from '#model/problem.ts'
import type { Runtime } from './session.ts'

export type Connected = Runtime & { close(): void }

/** A declaration that can't be read is the first thing to know, engine or not. */
export function nowhere(kind: Kind, problem: Problem): Connected {
  function refuse(): never {
    throw problem
  }
  return {
    kind,
    target: {
      observe: async () => refuse(),
      operate: async () => refuse(),
      look: async () => refuse(),
      watch: () => refuse(),
    },
    recall: async () => refuse(),
    logs: () => refuse(),
    close: () => undefined,
  }
}

export function found<Place>(find: () => Place): Place | Problem {
  try {
    return find()
  } catch (thrown) {
    return problemOf(thrown)
  }
}
