/** A run as text: heading, bad input, rows by kind, summary. The canonical form that tests compare. */
import { wordsFor } from '#kinds/all.ts'
import { kindOf } from '#model/ref.ts'
import { box, sections, type Row } from './layout.ts'
import type { Manner } from './manner.ts'
import { problemCount, problemList, type Fate } from './problems.ts'
import { keptRows, resultRows, skippedRows } from './results.ts'
import type { GroupStory, Story } from './story.ts'
import { plannedLines, summaryLines } from './summary.ts'
import { changeText, pastOf } from './words.ts'

export function tableLines(story: Story, manner: Manner): readonly string[] {
  return [...headingLines(story, manner), ...inputLines(story, manner), ...endLines(story, manner)]
}

export function headingLines(story: Story, manner: Manner): readonly string[] {
  const space = story.application?.namespace
  const where = space === null || space === undefined ? '' : ` (namespace ${space})`
  const name = story.application && `${story.application.name}${where}`
  const engine = manner.isVerbose && manner.engine !== undefined ? [`Engine: ${manner.engine}`] : []
  if (story.isDryRun) {
    return [`Preview: ${manner.subject}${name === undefined ? '' : ` → ${name}`}`, ...engine]
  }
  const noun = wordsFor(story.application ?? { kind: 'chart' }).title
  const version = manner.isVerbose ? story.rendered?.version : undefined
  return [
    `${manner.doing}: ${manner.subject}`,
    ...(name === undefined ? [] : [`${noun} name: ${name}`]),
    ...(version === undefined || version === '' ? [] : [`${noun} version: ${version}`]),
    ...engine,
  ]
}

/** What is wrong with the input, all at once; a run that was refused ends here. */
export function inputLines(story: Story, manner: Manner): readonly string[] {
  const { problems } = story
  const isRefused = story.ended?.outcome === 'refused'
  if (problems.length === 0) return isRefused ? ['', 'Nothing was changed.'] : []
  const list = ['', ...problemList(problems, manner.paint)]
  if (isRefused) return [...list, 'Nothing was changed.']
  const isInput = problems.some(({ at }) => at !== undefined)
  return isInput ? [...list, '', problemCount(problems, fateIn(story))] : list
}

function fateIn({ isDryRun, plan }: Story): Fate {
  const absent = (plan?.skipped ?? []).filter(({ isAbsent }) => isAbsent === true)
  return { isDryRun, absent: new Set(absent.map(({ ref }) => ref)) }
}

/** Rows and summary, once all is known. */
export function endLines(story: Story, manner: Manner): readonly string[] {
  if (story.ended?.outcome === 'refused') return []
  // nothing could be seen: then nothing can be said about what would happen
  if (story.isDryRun && story.plan === undefined) return ['', 'What would happen is not known.']
  const rows = story.isDryRun ? plannedRows(story, manner) : resultRows(story, manner)
  const title = story.isDryRun ? 'Planned Changes' : 'Reconciling Resources'
  return [
    ...(rows.length === 0 ? [] : [...box(title), ...sections(rows, manner.paint, onlyGoes(story))]),
    ...(story.isDryRun ? plannedLines(story, manner) : summaryLines(story, manner)),
  ]
}

/** Users go before what they use: then the kinds read the other way round. */
export function onlyGoes({ groups }: Story): boolean {
  return groups.length > 0 && groups.every(({ group }) => group.step === 'delete')
}

const planned = { create: '+', update: '~', replace: '~', delete: '-' } as const

function plannedRows(story: Story, manner: Manner): readonly Row[] {
  const unchanged = manner.isVerbose ? (story.plan?.unchanged ?? []) : []
  return [
    ...story.groups.map((told) => plannedRow(told, manner)),
    ...skippedRows(story, manner),
    ...keptRows(story),
    ...unchanged.map((ref): Row => ({ ref, indicator: '✓', words: 'unchanged' })),
  ]
}

function plannedRow({ group }: GroupStory, manner: Manner): Row {
  const { ref, step, changes, cause } = group
  const isMute = changes.length === 0 && (step === 'update' || step === 'replace')
  const losesData = step === 'replace' && kindOf(ref) === 'volume'
  const why = isMute || losesData || manner.explains || manner.isVerbose ? [`Why: ${cause}`] : []
  const fields = changes.map((change) => `- ${changeText(change)}`)
  const below = [...(step === 'create' || step === 'delete' ? [] : fields), ...why]
  return { ref, indicator: planned[step], words: `will be ${pastOf(step)}`, below }
}
