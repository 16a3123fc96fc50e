/** What Helm demands of a Chart.yaml: a version that is one, a type, a Kubernetes that would do. */
import { GoError } from '#formats/template/errors.ts'
import { parseVersion } from '#formats/template/semver/version.ts'
import type { YamlPath } from '#formats/yaml/find-node.ts'
import type { Place, ProblemFacts } from '#model/problem.ts'
import type { ChartRendered } from '../chart-input.ts'
import { kubeVersionText } from './capabilities.ts'
import { isCompatible } from './dependencies.ts'

type Fields = { readonly [key: string]: unknown }

export function helmProblems(
  { version }: ChartRendered['chart'],
  fields: Fields,
  placeOf: (path: YamlPath) => Place,
): readonly ProblemFacts[] {
  const problems: ProblemFacts[] = []
  function problem(field: string, message: string, suggestion: string): void {
    const at = placeOf([field])
    problems.push({
      type: 'configuration',
      code: 'chart_unreadable',
      message: `${field}: ${message}`,
      at,
      suggestion,
    })
  }
  if (!isVersion(version))
    problem('version', `${JSON.stringify(version)} is not a version`, 'write it as 1.2.3')
  const { type, kubeVersion } = fields
  if (type !== undefined && type !== null && type !== 'application' && type !== 'library')
    problem('type', `${JSON.stringify(type)} is not known`, 'write application or library')
  if (typeof kubeVersion === 'string' && !isCompatible(kubeVersion, kubeVersionText))
    problem(
      'kubeVersion',
      `${kubeVersion} does not fit ${kubeVersionText}, which templates see`,
      'take the line away: nothing of this chart runs on Kubernetes',
    )
  return problems
}

function isVersion(text: string): boolean {
  try {
    parseVersion(text)
    return true
  } catch (error) {
    if (error instanceof GoError) return false
    throw error
  }
}
