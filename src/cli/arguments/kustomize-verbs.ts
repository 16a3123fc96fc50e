/** The verb that builds a kustomization. */
import type { Verb } from './verbs.ts'

export const kustomizeVerbs = [
  {
    name: 'kustomize build',
    summary: 'print what a kustomization builds, as kustomize build does',
    takes: '[FOLDER]',
    least: 0,
    most: 1,
    flags: ['output-path', 'load-restrictor', 'reorder', 'verbose', 'no-color', 'help'],
    notes: [
      'The output is that of kustomize 5.8.1, byte by byte. Without a folder: the one it runs in.',
      'Helm charts, functions and bases on other machines are built by the kustomize program that',
      'TEND_KUSTOMIZE names, and refused without one.',
    ],
  },
] as const satisfies readonly Verb[]
