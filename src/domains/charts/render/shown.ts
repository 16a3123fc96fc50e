/** What was rendered as it may be shown: secrets masked, and behind each line what is wrong with it. */
import type { YamlError } from '#formats/yaml/read-yaml.ts'
import { isList, isRecord } from '#model/json.ts'
import { placeText, type ProblemFacts } from '#model/problem.ts'
import type { ShownManifest } from '../chart-input.ts'
import type { ChartSecrets } from './chart-secrets.ts'
import { maskedText } from './masked.ts'
import { maskedLines } from './masked-lines.ts'
import type { RenderedFile, RenderedFiles } from './templates.ts'

export function shownManifests(
  { files, broken }: Pick<RenderedFiles, 'files' | 'broken'>,
  problems: readonly ProblemFacts[],
  secrets: Pick<ChartSecrets, 'without'>,
): readonly ShownManifest[] {
  const whole = files.map((file): ShownManifest => {
    const { path, text, yaml, unset } = file
    const shown = secrets.without(
      yaml.errors.length === 0 ? maskedText(text, yaml) : maskedLines(text),
    )
    const faults = [
      ...yaml.errors.map((error) => faultOf(error, file, problems)),
      ...unset.map(({ line, problem }) => ({ line, text: wordsOf(problem) })),
    ]
    return { path, text: shown, faults }
  })
  const parts = broken.map(({ path, text, problem }): ShownManifest => {
    const shown = secrets.without(maskedLines(text))
    return {
      path,
      text: shown,
      faults: [
        { line: shown.trimEnd().split('\n').length, text: secrets.without(wordsOf(problem)) },
      ],
    }
  })
  return [...whole, ...parts].toSorted((one, other) => (one.path < other.path ? -1 : 1))
}

function faultOf(
  error: YamlError,
  file: RenderedFile,
  problems: readonly ProblemFacts[],
): ShownManifest['faults'][number] {
  const at = file.placeOf(error)
  const told = problems.find(
    (problem) => problem.message === error.message && problem.at?.line === at.line,
  )
  return { line: error.line, text: wordsOf(told ?? { message: error.message, at }) }
}

function wordsOf({ message, at }: Pick<ProblemFacts, 'message' | 'at'>): string {
  return at === undefined ? message : `${placeText(at)} ${message}`
}

/** For people: what is secret in it is not in it. */
export function shownValues(
  values: { readonly [key: string]: unknown },
  secrets: Pick<ChartSecrets, 'without'>,
): { readonly [key: string]: unknown } {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, shownValue(value, secrets)]),
  )
}

function shownValue(value: unknown, secrets: Pick<ChartSecrets, 'without'>): unknown {
  if (isList(value)) return value.map((item) => shownValue(item, secrets))
  if (isRecord(value)) return shownValues(value, secrets)
  if (typeof value !== 'string' && typeof value !== 'number') return value
  const text = String(value)
  return secrets.without(text) === text ? value : secrets.without(text)
}
