/** Finds the verb among the words of a command line: flags may stand before it, and some verbs have two words. */
import { flags } from './flags.ts'
import { defined } from '#model/defined.ts'

type FoundVerb = {
  /** "install", "compose up", "fleet add"; "compose" when nothing follows; undefined when there is none. */
  readonly typed: string | undefined
  /** All other words, in their order. */
  readonly rest: readonly string[]
}

/** First words of verbs that have two. */
export const groupWords = ['compose', 'kustomize', 'fleet', 'kube'] as const

export type GroupWord = (typeof groupWords)[number]

export function isGroupWord(word: string | undefined): word is GroupWord {
  return groupWords.some((one) => one === word)
}

export function findVerb(args: readonly string[]): FoundVerb {
  const first = wordIndex(args, 0)
  const word = args[first]
  if (!isGroupWord(word)) return { typed: word, rest: args.toSpliced(first, 1) }
  const second = wordIndex(args, first + 1)
  const rest = args.filter((_, index) => index !== first && index !== second)
  const typed = args[second] === undefined ? word : `${word} ${args[second]}`
  return { typed, rest }
}

/** A flag with its value may stand before the verb: `tend -n staging list`. */
function wordIndex(args: readonly string[], start: number): number {
  let index = start
  while (args[index]?.startsWith('-') === true) index += takesNext(defined(args[index])) ? 2 : 1
  return index
}

function takesNext(word: string): boolean {
  return flags.some((flag) => {
    const short = 'short' in flag ? `-${flag.short}` : undefined
    return flag.kind !== 'switch' && (word === `--${flag.name}` || word === short)
  })
}
