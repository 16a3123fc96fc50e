/** Finds the verb among the words of a command line: flags may stand before it, and some verbs have two words. */
import { flags } from './flags.ts'

export type FoundVerb = {
  /** "install", "compose up"; "compose" when nothing follows; undefined when there is none. */
  readonly typed: string | undefined
  /** All other words, in their order. */
  readonly rest: readonly string[]
}

export const composeWord = 'compose'

export function findVerb(args: readonly string[]): FoundVerb {
  const first = wordIndex(args, 0)
  if (args[first] !== composeWord) return { typed: args[first], rest: args.toSpliced(first, 1) }
  const second = wordIndex(args, first + 1)
  const rest = args.filter((_, index) => index !== first && index !== second)
  const typed = args[second] === undefined ? composeWord : `${composeWord} ${args[second]}`
  return { typed, rest }
}

/** A flag with its value may stand before the verb: `tend -n staging list`. */
function wordIndex(args: readonly string[], start: number): number {
  let index = start
  while (args[index]?.startsWith('-') === true) index += takesNext(args[index]!) ? 2 : 1
  return index
}

function takesNext(word: string): boolean {
  return flags.some((flag) => {
    const short = 'short' in flag ? `-${flag.short}` : undefined
    return flag.kind !== 'switch' && (word === `--${flag.name}` || word === short)
  })
}
