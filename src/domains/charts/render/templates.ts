/** Renders the templates of a chart, each to a text that knows which line of which file it came from. */
import {
  budget,
  parseTemplates,
  TemplateError,
  type Piece,
  type TemplateSet,
} from '#formats/template/render.ts'
import { toText } from '#formats/template/bytes.ts'
import type { Position } from '#formats/yaml/placing.ts'
import { readYaml, type YamlRead } from '#formats/yaml/read-yaml.ts'
import type { Place, ProblemFacts } from '#model/problem.ts'
import type { ChartInput } from '../chart-input.ts'
import { emptyValues, sourceOf, sourcePlaces } from './source-places.ts'
import { noValue, templateProblem } from './template-problems.ts'
import { templateSources, type DataNode, type TemplateSource } from './template-sources.ts'

export type RenderedFile = {
  /** As templates call it. */
  readonly name: string
  readonly path: string
  readonly text: string
  readonly yaml: YamlRead
  /** Where in the chart's own file a place of the rendered text comes from. */
  placeOf(position: Position): Place
  /** Lines that hold what a template printed for a value that is not set. */
  readonly unset: readonly { readonly line: number; readonly problem: ProblemFacts }[]
}

/** What a template printed before it failed. */
type BrokenFile = {
  readonly path: string
  readonly text: string
  readonly problem: ProblemFacts
}

export type RenderedFiles = {
  readonly files: readonly RenderedFile[]
  readonly broken: readonly BrokenFile[]
  /** NOTES.txt. */
  readonly notes: string
  readonly problems: readonly ProblemFacts[]
  readonly warnings: readonly string[]
}

/** Of the whole chart: else many small files take as much as they like together. */
const limits = { outputBytes: 8_000_000, steps: 5_000_000, depth: 200 }
const maxTotalBytes = 16_000_000

export function renderTemplates(input: ChartInput, root: DataNode): RenderedFiles {
  const { sources, warnings } = templateSources(input.tree, root)
  const none = { files: [], broken: [], notes: '', warnings }
  if (!sources.some(({ role }) => role === 'manifest'))
    return { ...none, problems: [noTemplates(input)] }
  const size = sources.reduce((sum, { text }) => sum + text.length, 0)
  if (size > maxTotalBytes) {
    const message = `the templates have ${size} characters, more than ${maxTotalBytes}`
    const suggestion = 'move what is no manifest out of templates/'
    return {
      ...none,
      problems: [{ type: 'configuration', code: 'chart_unreadable', message, suggestion }],
    }
  }
  const parsed = parseAll(sources, input, root.node.name)
  if (isProblems(parsed)) return { ...none, problems: parsed }
  return { ...renderAll(sources, parsed), warnings }
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
  sources: readonly TemplateSource[],
  { since, seed }: ChartInput,
  chart: string,
): TemplateSet | readonly ProblemFacts[] {
  const options = {
    missingKey: 'zero',
    now: since,
    seed,
    limits,
    budget: budget(limits),
    // the name of the chart is no part of it: what was drawn before there were subcharts stays what it was
    streamOf: (name: string) => name.slice(chart.length + 1),
  } as const
  const files = sources.map(({ name, text }) => ({ path: name, text }))
  const whole = attempt(() => parseTemplates(files, options))
  if (!isFailed(whole)) return whole
  const each = files.map((file) => attempt(() => parseTemplates([file], options)))
  const failed = each.filter(isFailed)
  return (failed.length > 0 ? failed : [whole]).map(({ error }) =>
    templateProblem(error, sources, limits.steps),
  )
}

function renderAll(
  sources: readonly TemplateSource[],
  templates: TemplateSet,
): Omit<RenderedFiles, 'warnings'> {
  const files: RenderedFile[] = []
  const broken: BrokenFile[] = []
  const problems: ProblemFacts[] = []
  let notes = ''
  let total = 0
  const written = new Map(
    sources.map(({ name, path, text }) => [name, { ...sourceOf(text), path }]),
  )
  for (const { name, path, role, data } of sources) {
    if (role === 'definition') continue
    const pieces: Piece[] = []
    const texts: string[] = []
    const made = attempt(() =>
      templates.render(name, data, (piece, text) => {
        pieces.push(piece)
        texts.push(text)
      }),
    )
    if (isFailed(made)) {
      const problem = templateProblem(made.error, sources, limits.steps, data['Values'])
      problems.push(problem)
      if (role === 'manifest') broken.push({ path, text: toText(texts.join('')), problem })
      // what is used up is used up for the files that follow too
      if (made.error.limit === 'steps') break
      continue
    }
    total += made.length
    if (total > maxTotalBytes) {
      const message = `the manifests have more than ${maxTotalBytes} characters in all`
      const suggestion = 'split the chart'
      problems.push({ type: 'configuration', code: 'template_error', message, suggestion })
      break
    }
    if (role === 'notes') {
      notes = made.replaceAll('<no value>', '')
      continue
    }
    const placeOf = sourcePlaces(made, pieces, written)
    const unset = emptyValues(made, pieces).map((position) => ({
      line: position.line,
      problem: noValue(placeOf(position), sources, data['Values']),
    }))
    problems.push(...unset.map(({ problem }) => problem))
    files.push({ name, path, text: made, yaml: readYaml(made), placeOf, unset })
  }
  return { files, broken, notes, problems }
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
