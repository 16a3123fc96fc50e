/** What a render may still use up: steps, bytes of output, depth. */
import { LimitError } from './errors.ts'

export type Limits = {
  readonly outputBytes: number
  readonly steps: number
  readonly depth: number
}

export type Budget = {
  /** Takes so many steps: a node, a call, an element, sixty-four bytes of text. */
  spend(steps: number): void
  /** Takes the steps that so long a text costs, and refuses one longer than the output may be. */
  size(length: number): void
  text(made: string): void
  /** Takes the steps of one node of a tree that is being built: memory costs more than time. */
  grow(): void
  /** Refuses a buffer of output that is longer than the output may be. */
  fits(bytes: number): void
  /** Refuses a structure or a chain of templates nested too deep. */
  nest(depth: number): void
}

const bytesPerStep = 64
const stepsPerNode = 8

export function budget(limits: Limits): Budget {
  let steps = 0
  function spend(count: number): void {
    steps += count
    if (!(steps <= limits.steps)) throw new LimitError('steps', limits.steps)
  }
  function size(length: number): void {
    if (!(length <= limits.outputBytes)) throw new LimitError('outputBytes', limits.outputBytes)
    spend(Math.floor(length / bytesPerStep))
  }
  return {
    spend,
    size,
    grow: () => spend(stepsPerNode),
    text: (made) => size(made.length),
    fits(bytes) {
      if (bytes > limits.outputBytes) throw new LimitError('outputBytes', limits.outputBytes)
    },
    nest(depth) {
      if (depth > limits.depth) throw new LimitError('depth', limits.depth)
    },
  }
}
