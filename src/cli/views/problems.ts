/** Problems as lines: those of the input all at once with their places, those of a step below its row. */
import type { Application } from '#model/application.ts'
import { placeText, type ProblemFacts } from '#model/problem.ts'
import { kindOf, nameOf, type Ref } from '#model/ref.ts'
import { harmless, mark, type Paint } from './paint.ts'
import { count, listed } from './labels.ts'
import { defined } from '#model/defined.ts'

/** "✗ templates/web.yaml:14:7  spec.image: …", places padded to the longest. */
export function problemList(problems: readonly ProblemFacts[], paint: Paint): readonly string[] {
  const places = problems.map(({ at }) => (at === undefined ? '' : placeText(at)))
  const width = places.reduce((widest, place) => Math.max(widest, place.length), 0)
  return problems.flatMap((problem, index) => {
    const place = defined(places[index])
    const where = place === '' ? '' : `${place.padEnd(width)} `
    const suggestion = suggestionsOf(problem, undefined, undefined).map(
      (text) => `    Suggestion: ${text}`,
    )
    const [first, ...rest] = harmless(problem.message).split('\n')
    const message = [`${mark('✗', paint)} ${where}${first}`, ...rest.map((line) => `    ${line}`)]
    const details = (problem.details ?? []).map((line) => `    ${harmless(line)}`)
    return [...message, ...details, ...suggestion]
  })
}

/** "3 problems in 2 files. web-server and database were left as they are." */
export function problemCount(problems: readonly ProblemFacts[], about: FaultContext): string {
  const files = new Set(problems.flatMap(({ at }) => (at === undefined ? [] : [at.file])))
  const within = files.size === 0 ? '' : ` in ${count(files.size, 'file')}`
  const names = [...new Set(problems.flatMap(({ ref }) => (ref === undefined ? [] : [ref])))]
  const [made, absent] = [
    names.filter((ref) => !about.absent.has(ref)),
    names.filter((ref) => about.absent.has(ref)),
  ]
  const sentences = [fateOf(made, leftWords, about), fateOf(absent, unmadeWords, about)]
  return `${count(problems.length, 'problem')}${within}.${sentences.join('')}`
}

/** What happens to resources that are at fault. */
export type FaultContext = { readonly isDryRun: boolean; readonly absent: ReadonlySet<Ref> }

type FateWords = readonly [one: string, many: string, oneWould: string, manyWould: string]

const leftWords: FateWords = [
  'was left as it is',
  'were left as they are',
  'would be left as it is',
  'would be left as they are',
]
const unmadeWords: FateWords = [
  'was not created',
  'were not created',
  'would not be created',
  'would not be created',
]

function fateOf(refs: readonly Ref[], words: FateWords, { isDryRun }: FaultContext): string {
  if (refs.length === 0) return ''
  const [one, many, oneWould, manyWould] = words
  const [single, several] = isDryRun ? [oneWould, manyWould] : [one, many]
  return ` ${listed(refs.map(nameOf))} ${refs.length === 1 ? single : several}.`
}

/** The lines below the row of a failed step. The last line of a log says most; `--verbose` shows all of it. */
export function problemDetails(
  problem: ProblemFacts,
  about: {
    readonly isVerbose: boolean
    readonly application: Application | undefined
    readonly run: number | undefined
  },
): readonly string[] {
  const suggestions = suggestionsOf(problem, about.application, about.run)
  const details = (problem.details ?? []).map((line) => harmless(line).trimEnd()).filter(Boolean)
  const lines = about.isVerbose ? details : details.slice(-1)
  return [
    ...labelled('Error', problem.message.split('\n').map(harmless)),
    ...labelled('Last log', lines),
    ...(about.isVerbose ? labelled('Cause', causeLines(problem)) : []),
    ...suggestions.map((suggestion) => `Suggestion: ${suggestion}`),
  ]
}

const logged: ReadonlySet<string> = new Set(['unhealthy', 'exited', 'timed_out'])

/** What started and then failed is best explained by its own logs, which are kept with the run. */
export function suggestionsOf(
  problem: ProblemFacts,
  application: Application | undefined,
  run: number | undefined,
): readonly string[] {
  const given = problem.suggestion === undefined ? faultOf(problem) : [problem.suggestion]
  const { ref } = problem
  if (!logged.has(problem.code) || application === undefined || ref === undefined) return given
  if (kindOf(ref) !== 'container') return given
  const space = application.namespace === null ? '' : ` -n ${application.namespace}`
  const number = run === undefined ? '' : ` --run ${run}`
  const command = `tend logs ${application.name} ${nameOf(ref)}${number}${space}`
  return [`Look at the logs with: ${command}`, ...given]
}

function faultOf({ code }: ProblemFacts): readonly string[] {
  return code === 'bug' ? ['This is a fault of Tend itself; --verbose tells more of it'] : []
}

function causeLines(problem: ProblemFacts): readonly string[] {
  const { cause } = problem
  const text = cause instanceof Error ? cause.message : typeof cause === 'string' ? cause : ''
  return text === '' || text === problem.message ? [] : text.split('\n').map(harmless)
}

/** "Label: first", further lines below it. */
function labelled(label: string, lines: readonly string[]): readonly string[] {
  const indent = ' '.repeat(label.length + 2)
  return lines.map((line, index) => (index === 0 ? `${label}: ${line}` : `${indent}${line}`))
}
