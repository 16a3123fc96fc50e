/** What a Kustomization's spec only names, and a render needs: variables, keys, another cluster. */
import type { Surroundings } from '#domains/kustomizations/render/build.ts'
import type { ProblemFacts } from '#model/problem.ts'

export type Gathered = {
  readonly surroundings: Surroundings
  /** The text of a kubeconfig; undefined: this cluster is meant, or `problem` says why there is none. */
  readonly kubeConfig: string | undefined
  /** A hash over all values: it changes whenever one of them changes, and shows nothing of their content. */
  readonly mark: string
  readonly problem: ProblemFacts | undefined
}

export const nothingGathered: Gathered = {
  surroundings: { variables: new Map(), ageKeys: [] },
  kubeConfig: undefined,
  mark: '',
  problem: undefined,
}
