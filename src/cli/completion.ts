/** What may follow on a command line that is being typed. */
import { installedPlurals } from '#kinds/all.ts'
import { providers } from '#model/clusters.ts'
import { flagOf } from './arguments/flags.ts'
import { findVerb, isGroupWord } from './arguments/find-verb.ts'
import { verbOf, verbs } from './arguments/verbs.ts'
import { defined } from '#model/defined.ts'

/** The last word is the one under the cursor. `files` says that the shell may offer files, which it finds itself. */
type Candidates = { readonly words: readonly string[]; readonly files: boolean }

export function candidatesFor(
  typed: readonly string[],
  names: readonly string[],
  kinds: readonly string[],
): Candidates {
  const current = typed.at(-1) ?? ''
  const before = typed.slice(0, -1)
  const { typed: word } = findVerb(before)
  if (isGroupWord(word)) {
    const own = verbs.filter(({ name }) => name.startsWith(`${word} `))
    return matching(current, own.map(secondWord), false)
  }
  const verb = word === undefined ? undefined : verbOf(word)
  if (verb === undefined)
    return matching(current, [...new Set(verbs.map(firstWord)), 'help'], false)
  const flag = flagBefore(before.at(-1) ?? '')
  if (flag?.name === 'output') return matching(current, ['table', 'json', 'yaml'], false)
  if (flag?.name === 'provider') return matching(current, providers, false)
  if (flag?.takes === 'FILE') return { words: [], files: true }
  if (flag !== undefined && flag.kind !== 'switch') return { words: [], files: false }
  if (current.startsWith('-')) {
    return matching(
      current,
      verb.flags.map((name) => `--${name}`),
      false,
    )
  }
  if (verb.name === 'completion') return matching(current, ['bash', 'zsh', 'fish'], false)
  if (verb.name === 'get' && isFirst(before)) return matching(current, subjects, false)
  if (verb.name === 'token') return matching(current, ['create', 'list', 'revoke'], false)
  if (verb.name === 'schema') return matching(current, kinds, false)
  const isKnown = verb.takes.includes('NAME') && !declaring.includes(verb.name)
  return matching(current, isKnown ? names : [], verb.takes.includes('PATH'))
}

/** Verbs that take a name which does not exist yet. */
const declaring: readonly string[] = ['fleet add', 'fleet adopt']

const subjects = ['apps', ...installedPlurals, 'runs', 'sources']

/** Whether nothing but the verb and flags were typed before. */
function isFirst(before: readonly string[]): boolean {
  return !before.some((word) => subjects.includes(word))
}

function firstWord({ name }: { readonly name: string }): string {
  return defined(name.split(' ')[0])
}

function secondWord({ name }: { readonly name: string }): string {
  return defined(name.split(' ')[1])
}

function matching(current: string, words: readonly string[], files: boolean): Candidates {
  return { words: words.filter((word) => word.startsWith(current)), files }
}

function flagBefore(word: string): ReturnType<typeof flagOf> | undefined {
  const all = verbs.flatMap(({ flags }) => flags.map(flagOf))
  return all.find(({ name, short }) => word === `--${name}` || word === `-${short ?? '-'}`)
}
