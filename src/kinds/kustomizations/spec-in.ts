/** The spec of a kustomization out of the values of its declaration. */
import { readSpec, type KustomizationSpec } from '#domains/kustomizations/spec.ts'
import type { Declared } from '#model/declaration.ts'
import { Problem } from '#model/problem.ts'

/** Throws a problem where the spec is faulty. */
export function specIn(values: Declared['values']): KustomizationSpec {
  const { spec, problems } = readSpec(values)
  const [first] = problems
  if (first !== undefined) throw new Problem(first)
  return spec
}
