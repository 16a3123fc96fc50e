/** Splits the words of a command line into flags with their values and the rest, held against a verb's table. */
import { closest } from './closest.ts'
import { adviceOnFlag } from './aliases.ts'
import { flagOf, flags as allFlags, type Flag } from './flags.ts'
import { usageProblem } from './usage.ts'
import type { Verb } from './verbs.ts'
import { defined } from '#model/defined.ts'

export type FlagValue = { readonly flag: Flag; readonly text: string }

export type Tokens = { readonly given: readonly FlagValue[]; readonly words: readonly string[] }

export function tokensOf(args: readonly string[], verb: Verb): Tokens {
  const given: FlagValue[] = []
  const words: string[] = []
  const known = verb.flags.map(flagOf)
  const rest = [...args]

  /** The value behind `=` or in the next word. */
  function take(flag: Flag, typed: string, attached: string | undefined): void {
    if (flag.kind === 'switch') return void given.push({ flag, text: attached ?? 'true' })
    const text = attached ?? rest.shift()
    if (text !== undefined) return void given.push({ flag, text })
    throw usageProblem(`${typed} needs a value: ${flag.takes}`, helpOf(verb))
  }

  /** `-v`, `-o json`, `-ojson`, `-o=json`, `-vy` */
  function takeShort(word: string): void {
    for (let index = 1; index < word.length; index++) {
      const typed = `-${word[index]}`
      const tail = word.slice(index + 1)
      const flag = shortFlag(known, defined(word[index]), tail === '' ? rest[0] : tail)
      if (flag === undefined) throw unknownFlag(typed, verb)
      if (flag.kind === 'switch' && !tail.startsWith('=')) {
        take(flag, typed, undefined)
        continue
      }
      return take(flag, typed, tail === '' ? undefined : tail.replace(/^=/, ''))
    }
  }

  function takeLong(word: string): void {
    const split = word.indexOf('=')
    const typed = split < 0 ? word : word.slice(0, split)
    const attached = split < 0 ? undefined : word.slice(split + 1)
    const name = typed.slice(2)
    const flag = known.find((candidate) => candidate.name === name)
    if (flag !== undefined) return take(flag, typed, attached)
    const negated = known.find((candidate) => `no-${candidate.name}` === name)
    if (negated?.kind !== 'switch' || attached !== undefined) throw unknownFlag(typed, verb)
    given.push({ flag: negated, text: 'false' })
  }

  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') return { given, words: [...words, ...rest] }
    if (word.startsWith('--')) takeLong(word)
    else if (word.startsWith('-') && word.length > 1) takeShort(word)
    else words.push(word)
    if (verb.isVerbatim === true && words.length > 0) {
      return { given, words: [...words, ...(rest[0] === '--' ? rest.slice(1) : rest)] }
    }
  }
  return { given, words }
}

/** `-f` of `compose logs` has two meanings, as in docker compose: --follow behind the verb, a file before it. */
function shortFlag(
  known: readonly Flag[],
  letter: string,
  next: string | undefined,
): Flag | undefined {
  const named = known.filter(({ short }) => short === letter)
  const hasFile = next !== undefined && !next.startsWith('-') && /[./]/.test(next)
  return named.find(({ kind }) => (kind === 'switch') !== hasFile) ?? named[0]
}

function unknownFlag(typed: string, verb: Verb): Error {
  const advice = adviceOnFlag(verb.name, typed)
  if (advice !== undefined) return usageProblem(`tend ${verb.name} does not take ${typed}`, advice)
  const isElsewhere = allFlags.some(({ name }) => `--${name}` === typed)
  if (isElsewhere) {
    return usageProblem(`tend ${verb.name} does not take ${typed}`, helpOf(verb))
  }
  const meant = closest(
    typed,
    allFlags
      .filter(({ name }) => verb.flags.some((own) => own === name))
      .flatMap(({ name, kind }) =>
        kind === 'switch' ? [`--${name}`, `--no-${name}`] : `--${name}`,
      ),
  )
  if (meant === typed) return usageProblem(`${typed} takes no value`, `write ${typed} alone`)
  const suggestion = meant === undefined ? helpOf(verb) : `did you mean ${meant}?`
  return usageProblem(`unknown flag ${typed}`, suggestion)
}

export function helpOf(verb: Verb): string {
  return `tend ${verb.name} --help lists what it takes`
}
