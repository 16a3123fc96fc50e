/** Renders the templates of a chart, each to a text that knows which line of which file it came from. */
import {
  budget,
  parseTemplates,
  TemplateError,
  type Piece,
  type TemplateSet,
} from '#formats/template/render.ts'
import type { Position } from '#formats/yaml/placing.ts'
import { readYaml, type YamlRead } from '#formats/yaml/read-yaml.ts'
import type { Place, ProblemFacts } from '#model/problem.ts'
import type { ChartInput } from '../chart-input.ts'
import { emptyValues, sourceOf, sourcePlaces } from './source-places.ts'
import { hintFor, valueMeant } from './template-hints.ts'

export type RenderedFile = {
  readonly path: string
  readonly text: string
  readonly yaml: YamlRead
  /** Where in the chart's own file a place of the rendered text comes from. */
  placeOf(position: Position): Place
}

export type RenderedFiles = {
  readonly files: readonly RenderedFile[]
  readonly problems: readonly ProblemFacts[]
}

type Source = { readonly path: string; readonly text: string }

/** Of the whole chart: else many small files take as much as they like together. */
const limits = { outputBytes: 8_000_000, steps: 5_000_000, depth: 200 }
const maxTotalBytes = 16_000_000

/** Files whose name ends in .tpl, or begins with _, only define; the others are manifests. */
export function renderTemplates(input: ChartInput, data: TemplateData): RenderedFiles {
  const sources = sourcesOf(input)
  const manifests = sources.filter(({ path }) => isManifest(path))
  if (manifests.length === 0) return { files: [], problems: [noTemplates(input)] }
  const size = sources.reduce((sum, { text }) => sum + text.length, 0)
  if (size > maxTotalBytes) {
    const message = `the templates have ${size} characters, more than ${maxTotalBytes}`
    return { files: [], problems: [{ type: 'configuration', code: 'chart_unreadable', message }] }
  }
  const parsed = parseAll(sources, input)
  if (isProblems(parsed)) return { files: [], problems: parsed }
  return renderAll(sources, parsed, data)
}

/** What templates see beside their own name. */
export type TemplateData = { readonly [key: string]: unknown }

function sourcesOf({ tree }: ChartInput): readonly Source[] {
  return tree
    .list('templates')
    .filter((path) => /\.(ya?ml|tpl)$/.test(path))
    .map((path) => ({ path, text: Buffer.from(tree.read(path) ?? []).toString('utf8') }))
}

function isManifest(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return !name.startsWith('_') && !name.endsWith('.tpl')
}

function noTemplates({ tree }: ChartInput): ProblemFacts {
  return {
    type: 'configuration',
    code: 'chart_unreadable',
    message: `there are no templates (.yaml, .yml) in ${tree.root}/templates`,
    suggestion: 'put the manifests of the chart into templates/',
  }
}

function isProblems(
  parsed: TemplateSet | readonly ProblemFacts[],
): parsed is readonly ProblemFacts[] {
  return Array.isArray(parsed)
}

/** When the set as a whole can't be parsed, each file is tried alone, so that every bad one is named. */
function parseAll(
  sources: readonly Source[],
  { since, seed }: ChartInput,
): TemplateSet | readonly ProblemFacts[] {
  const options = { missingKey: 'zero', now: since, seed, limits, budget: budget(limits) } as const
  const whole = attempt(() => parseTemplates(sources, options))
  if (!isFailed(whole)) return whole
  const each = sources.map((source) => attempt(() => parseTemplates([source], options)))
  const failed = each.filter(isFailed)
  return (failed.length > 0 ? failed : [whole]).map(({ error }) => templateProblem(error, sources))
}

function renderAll(
  sources: readonly Source[],
  templates: TemplateSet,
  data: TemplateData,
): RenderedFiles {
  const files: RenderedFile[] = []
  const problems: ProblemFacts[] = []
  let total = 0
  const written = new Map(sources.map(({ path, text }) => [path, sourceOf(text)]))
  for (const { path } of sources.filter((source) => isManifest(source.path))) {
    const own = { ...data, Template: { Name: path, BasePath: 'templates' } }
    const pieces: Piece[] = []
    const made = attempt(() => templates.render(path, own, (piece) => void pieces.push(piece)))
    if (isFailed(made)) {
      problems.push(templateProblem(made.error, sources, data['Values']))
      // what is used up is used up for the files that follow too
      if (made.error.limit === 'steps') return { files, problems }
      continue
    }
    total += made.length
    if (total > maxTotalBytes) {
      const message = `the manifests have more than ${maxTotalBytes} characters in all`
      return { files, problems: [{ type: 'configuration', code: 'template_error', message }] }
    }
    const placeOf = sourcePlaces(made, pieces, written)
    problems.push(
      ...emptyValues(made, pieces).map((position) =>
        noValue(placeOf(position), sources, data['Values']),
      ),
    )
    files.push({ path, text: made, yaml: readYaml(made), placeOf })
  }
  return { files, problems }
}

/** As in Helm a value that is not there is nothing, which `default` and `required` can deal with; printing it is a mistake. */
function noValue(at: Place, sources: readonly Source[], values: unknown): ProblemFacts {
  const asked = actionAt(at, sources)
  return {
    type: 'configuration',
    code: 'template_error',
    message: `${asked ?? 'what this prints'} is not set`,
    at,
    suggestion:
      valueMeant(asked ?? '', values) ??
      'set it in values.yaml or with --set, or say what to print instead: … | default "x"',
  }
}

/** The action as it was written, without its braces. */
function actionAt({ file, line, column }: Place, sources: readonly Source[]): string | undefined {
  const source = sources.find(({ path }) => path === file)
  const text = source?.text.split('\n')[line - 1]?.slice(column - 1)
  return /^\{\{-?\s*(.*?)\s*-?\}\}/.exec(text ?? '')?.[1]
}

type Failed = { readonly error: TemplateError }

function attempt<Made>(make: () => Made): Made | Failed {
  try {
    return make()
  } catch (thrown) {
    if (thrown instanceof TemplateError) return { error: thrown }
    throw thrown
  }
}

function isFailed<Made>(made: Made | Failed): made is Failed {
  return typeof made === 'object' && made !== null && 'error' in made
}

/** Of what can't be parsed Go tells the line only: what it did not expect stands behind the first braces. */
function columnOf(message: string, text: string): number {
  const token = /^unexpected "(.+)" in /.exec(message)?.[1]
  const opening = text.indexOf('{{')
  if (token === undefined || opening < 0) return Math.max(opening, 0) + 1
  const at = text.indexOf(token, opening + 2)
  return (at < 0 ? opening : at) + 1
}

function stepsUsedUp(at: Place): ProblemFacts {
  return {
    type: 'configuration',
    code: 'template_error',
    message: `the templates of the chart take more than ${limits.steps} steps together; they were used up here`,
    at,
    suggestion: 'make the loops in the templates smaller, or split the chart',
  }
}

/** The engine counts bytes from 0; people and editors count characters from 1. */
function templateProblem(
  error: TemplateError,
  sources: readonly Source[],
  values?: unknown,
): ProblemFacts {
  const { file, line } = error
  const text = sources.find(({ path }) => path === file)?.text.split('\n')[line - 1] ?? ''
  const prefix = `${file}:${line}:`
  const message = error.message.startsWith(prefix)
    ? error.message.slice(prefix.length).replace(/^(?:\d+:)? /, '')
    : error.message
  if (error.limit === 'steps') return stepsUsedUp({ file, line, column: error.column + 1 })
  const known = Buffer.from(text).subarray(0, error.column).toString('utf8').length + 1
  const column = error.column > 0 ? known : columnOf(message, text)
  return {
    type: 'configuration',
    code: 'template_error',
    message,
    at: { file, line, column },
    suggestion: hintFor(message, values),
  }
}
