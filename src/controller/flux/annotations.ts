/** What annotations on a Kustomization say of how it is kept. Pure. */
import { didYouMean } from '#formats/schema/suggestion.ts'
import type { Declared } from '#model/declaration.ts'
import { removalAnnotation } from '#kinds/kustomizations.ts'

type Policy = Declared['policy']

export type Annotated = Pick<Policy, 'drift' | 'rollback' | 'removesFor'> & {
  /** What can't be meant, each in a sentence: nothing is applied by a policy that was misread. */
  readonly faults: readonly string[]
}

const prefix = 'tend/'
const drifts = ['revert', 'flag', 'ignore'] as const
const rollbacks = ['auto', 'manual', 'never'] as const
const known = [`${prefix}drift`, `${prefix}rollback`, removalAnnotation]

export function annotatedPolicy(annotations: Readonly<Record<string, string>>): Annotated {
  const faults = Object.keys(annotations).flatMap((name) => {
    if (!name.startsWith(prefix) || known.includes(name)) return []
    const meant = didYouMean(name, known) ?? `there are: ${known.join(', ')}`
    return [`the annotation ${name} is not known (${meant})`]
  })
  function oneOf<Word extends string>(name: string, words: readonly [Word, ...Word[]]): Word {
    const text = annotations[name] ?? words[0]
    const found = words.find((word) => word === text)
    if (found !== undefined) return found
    const hint = didYouMean(text, words)
    const may = `it may be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
    const said = `the annotation ${name} is ${JSON.stringify(text)}`
    faults.push(`${said}: ${may}${hint === undefined ? '' : `, ${hint}`}`)
    return words[0]
  }
  const drift = oneOf(`${prefix}drift`, drifts)
  const rollback = oneOf(`${prefix}rollback`, rollbacks)
  const said = annotations[removalAnnotation]
  return { drift, rollback, ...(said === undefined ? {} : { removesFor: said }), faults }
}
