/** Flags of the verb that builds a kustomization, as kustomize spells them. */
import type { Flag } from './flags.ts'
import type { Reading } from './compose-values.ts'
import { usageProblem } from './usage.ts'

export const kustomizeFlags = [
  {
    name: 'output-path',
    short: 'o',
    kind: 'text',
    takes: 'PATH',
    help: 'write to this file, or one file for each object into this folder',
  },
  {
    name: 'load-restrictor',
    kind: 'text',
    takes: 'RULE',
    help: 'LoadRestrictionsNone: files may lie outside of the folder that names them',
  },
  {
    name: 'reorder',
    kind: 'text',
    takes: 'ORDER',
    help: 'none (as they were read) or legacy (by kind); legacy unless the kustomization says',
  },
] as const satisfies readonly Flag[]

export type KustomizeFlags = {
  readonly output: string | undefined
  readonly loadRestrictor: 'LoadRestrictionsRootOnly' | 'LoadRestrictionsNone'
  readonly reorder: 'none' | 'legacy' | 'unspecified'
}

export function kustomizeFlagsOf({ text }: Reading): KustomizeFlags {
  return {
    output: text('output-path'),
    loadRestrictor: restrictorOf(text('load-restrictor') ?? 'LoadRestrictionsRootOnly'),
    reorder: orderOf(text('reorder') ?? 'unspecified'),
  }
}

function restrictorOf(text: string): KustomizeFlags['loadRestrictor'] {
  if (text === 'LoadRestrictionsRootOnly' || text === 'LoadRestrictionsNone') return text
  const suggestion = 'write LoadRestrictionsRootOnly or LoadRestrictionsNone'
  throw usageProblem(`--load-restrictor ${JSON.stringify(text)} is not known`, suggestion)
}

function orderOf(text: string): KustomizeFlags['reorder'] {
  if (text === 'none' || text === 'legacy' || text === 'unspecified') return text
  throw usageProblem(`--reorder ${JSON.stringify(text)} is not known`, 'write none or legacy')
}
