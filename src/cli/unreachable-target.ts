/** A connection where no engine was found: that is told when it is needed, not before. */
import type { Problem } from '#model/problem.ts'
import type { Reached } from './session.ts'

/** A declaration that can't be read is the first thing to know, engine or not. */
export function unreachableTarget(problem: Problem): Reached {
  function refuse(): never {
    throw problem
  }
  return {
    ports: () => ({
      kind: { compare: refuse, expand: refuse, keeps: refuse, subject: refuse },
      target: {
        observe: async () => refuse(),
        operate: async () => refuse(),
        look: async () => refuse(),
        watch: () => refuse(),
      },
    }),
    list: async () => refuse(),
    watch: () => refuse(),
    ping: async () => refuse(),
    recall: async () => refuse(),
    logs: () => refuse(),
    close: () => undefined,
  }
}
