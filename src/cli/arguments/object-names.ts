/** A Kustomization as people type it: `kustomization/apps`, `kustomizations/apps`, `ks/apps`, `kustomization apps`. */
import type { VerbName } from './verbs.ts'

const taking: ReadonlySet<VerbName> = new Set<VerbName>([
  'ack',
  'diff',
  'forget',
  'get',
  'history',
  'logs',
  'resume',
  'rollback',
  'status',
  'suspend',
  'sync',
])

/** Gives every spelling as `kustomization/apps`. */
export function objectWords(verb: VerbName, words: readonly string[]): readonly string[] {
  if (!taking.has(verb)) return words
  const [first = '', second, ...rest] = words.map((word) =>
    word.replace(/^(kustomizations?|ks)[/:](?=.)/, 'kustomization/'),
  )
  if (second === undefined) return words.length === 0 ? [] : [first]
  const isApart = verb !== 'get' && /^kustomizations?$/.test(first) && !/^\d+$/.test(second)
  return isApart ? [`kustomization/${second}`, ...rest] : [first, second, ...rest]
}

/** Reads a word that names a Kustomization; undefined: the word may mean anything. */
export function kustomizationIn(
  word: string,
): { readonly namespace: string | undefined; readonly name: string } | undefined {
  const [, namespace, name] = /^kustomization\/(?:([^/]+)\/)?([^/]+)$/.exec(word) ?? []
  return name === undefined ? undefined : { namespace, name }
}
