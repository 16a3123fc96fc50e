/** The words in which views speak of kinds, steps, times and fields. */
import type { Application } from '#model/application.ts'
import { shown, type Change, type Step } from '#model/plan.ts'
import type { ProblemFacts } from '#model/problem.ts'
import { kindOf, nameOf, type Ref } from '#model/ref.ts'
import { harmless } from './paint.ts'

/** Kinds in the order in which output groups them. */
const kinds: readonly { kind: string; title: string; manifest: string }[] = [
  { kind: 'network', title: 'Networks', manifest: 'CuteNetwork' },
  { kind: 'volume', title: 'Volumes', manifest: 'CuteVolume' },
  { kind: 'config', title: 'Configs', manifest: 'config' },
  { kind: 'secret', title: 'Secrets', manifest: 'CuteSecret' },
  { kind: 'pod', title: 'Pods', manifest: 'CutePod' },
  { kind: 'container', title: 'Containers', manifest: 'CuteContainer' },
]

/** Known kinds in their order, then the others by name. */
export function kindsOf(refs: readonly Ref[]): readonly string[] {
  const present = new Set(refs.map(kindOf))
  const known = kinds.flatMap(({ kind }) => (present.has(kind) ? [kind] : []))
  return [...known, ...[...present].filter((kind) => !known.includes(kind)).toSorted()]
}

export function titleOf(kind: string): string {
  return (
    kinds.find((known) => known.kind === kind)?.title ??
    `${capital(kind)}${kind.endsWith('h') ? 'es' : 's'}`
  )
}

/** Stacks have no manifests, so their parts are called by what they are. */
export function manifestOf(kind: string, of: Application['kind']): string {
  if (of !== 'chart') return kind
  return kinds.find((known) => known.kind === kind)?.manifest ?? kind
}

/** "Container web-server" */
export function thing(ref: Ref): string {
  return `${capital(kindOf(ref))} ${nameOf(ref)}`
}

export function pastOf(step: Step): 'created' | 'updated' | 'deleted' {
  switch (step) {
    case 'create':
      return 'created'
    case 'delete':
      return 'deleted'
    case 'update':
    case 'replace':
      return 'updated'
  }
}

/** "skipped: needs web-server". Why that one is missing is told where it failed. */
export function skipWords(problem: ProblemFacts | undefined): string {
  if (problem?.code !== 'needs_failed' || !problem.message.startsWith('needs ')) {
    return problem?.message ?? 'skipped'
  }
  const short = problem.message.replace(/^needs [^/\s]+\//, 'needs ').replace(/, which failed$/, '')
  return `skipped: ${short}`
}

export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)}s`
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`
}

/** "a", "a and b", "a, b and c" */
export function listed(names: readonly string[]): string {
  if (names.length < 2) return names.join('')
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

const secretWord =
  /pass(word|wd|phrase)?$|secret|token|api_?-?key|private_?-?key|access_?-?key|credential|^auth$|_auth$|_pat$|_dsn$/i

/** A changed field as text. Secrets were sealed before; this hides values that only look like secrets. */
export function changeText(change: Change): string {
  if (looksSecret(change.path)) return `${change.path}: ${hidden} → ${hidden}`
  return `${change.path}: ${fieldText(change.from)} → ${fieldText(change.to)}`
}

/** What is shown in place of every secret. */
export const hidden = '******'

export function looksSecret(path: string): boolean {
  return /(^|\.)env\./.test(path) && secretWord.test(path.slice(path.lastIndexOf('.') + 1))
}

export function fieldText(value: Change['from']): string {
  const text = shown(value)
  return harmless(text.includes('\n') ? JSON.stringify(text) : text)
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}
