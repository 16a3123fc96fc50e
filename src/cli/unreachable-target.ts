/** A connection for the case that no engine was found: its calls throw the reason, so that it is reported only when an engine is needed. */
import type { Problem } from '#model/problem.ts'
import type { Reached } from './session.ts'

/** A declaration that can't be read is reported first, with or without an engine. */
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
