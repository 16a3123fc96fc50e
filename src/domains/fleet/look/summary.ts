/** What a run came to, row by row, in the shape that programs read for years. Pure. */
import { reservedCluster, type ClusterRow } from '#model/clusters.ts'
import type { Plan, Step } from '#model/plan.ts'
import type { ProblemFacts } from '#model/problem.ts'
import { kindOf, nameOf, refOf, type Ref } from '#model/ref.ts'
import { foundWords, leavingWords } from '../compare/compare.ts'
import type { VerifyRecord } from './verify.ts'

export type Condition = {
  readonly kind: string
  readonly state: 'ok' | 'planned' | 'error' | 'skipped'
  readonly message: string
}

export type SummaryItem = {
  readonly name: string
  readonly provider: string
  readonly desired: string
  readonly actual: string
  readonly action: 'create' | 'delete' | 'prune' | 'start' | 'recreate' | 'repair' | 'noop'
  readonly result:
    | 'planned'
    | 'created'
    | 'deleted'
    | 'done'
    | 'ok'
    | 'warning'
    | 'error'
    | 'skipped'
  readonly message: string
  readonly conditions: readonly Condition[]
}

/** How one group of the plan ended; undefined: it never began. */
export type Ended = {
  readonly phase: string | undefined
  readonly problem: ProblemFacts | undefined
}

type SummaryInput = {
  readonly rows: readonly ClusterRow[]
  readonly plan: Plan
  readonly ended: ReadonlyMap<Ref, Ended>
  readonly isDryRun: boolean
  /** Of what is there afterwards; for a dry run, of what is there. */
  readonly records: ReadonlyMap<string, VerifyRecord>
}

export function summaryOf(input: SummaryInput): readonly SummaryItem[] {
  const rows = input.rows.filter(({ name }) => name !== reservedCluster)
  const byName = new Map<string, StepResult[]>()
  for (const told of allTold(input)) {
    const name = nameOf(told.ref)
    byName.set(name, [...(byName.get(name) ?? []), told])
  }
  const items = rows.map((row) => itemOf(row, byName.get(row.name) ?? [], input))
  const known = new Set(rows.map(({ name }) => name))
  const others = [...byName].filter(([name]) => !known.has(name))
  return [...items, ...others.map(([name, told]) => orphanOf(name, told, input))]
}

type StepResult = {
  readonly ref: Ref
  readonly step: Step | 'skip'
  readonly verbs: readonly string[]
  readonly cause: string
  readonly state: 'planned' | 'done' | 'error' | 'skipped'
  readonly problem: ProblemFacts | undefined
}

function allTold({ plan, ended, isDryRun }: SummaryInput): readonly StepResult[] {
  const groups = plan.groups.map((group): StepResult => {
    const { ref, step, cause } = group
    const verbs = [...group.make, ...group.finish].map(({ verb }) => verb)
    const end = ended.get(ref)
    const isDone = end?.phase === 'done' || end?.phase === 'passed'
    const state = isDryRun
      ? 'planned'
      : isDone
        ? 'done'
        : end?.phase === 'failed'
          ? 'error'
          : 'skipped'
    return { ref, step, verbs, cause, state, problem: end?.problem }
  })
  const skipped = plan.skipped.map(({ ref, problem }): StepResult => {
    const state = problem.code === 'needs_failed' ? 'skipped' : 'error'
    return { ref, step: 'skip', verbs: [], cause: problem.message, state, problem }
  })
  return [...groups, ...skipped]
}

function itemOf(row: ClusterRow, told: readonly StepResult[], input: SummaryInput): SummaryItem {
  const record = input.records.get(row.name)
  const cluster = told.find(({ ref }) => ref === refOf('cluster', row.name))
  const own = told.find(({ ref }) => ref === refOf('row', row.name))
  const others = told.filter(({ ref }) => !['cluster', 'row'].includes(kindOf(ref)))
  const action = actionOf(cluster, own, others)
  const lead = action === 'prune' ? own : action === 'repair' ? others[0] : cluster
  const wrong =
    told.find(({ state }) => state === 'error') ?? told.find(({ state }) => state === 'skipped')
  const conditions = others.map((one) => conditionOf(one, causeOf(one, row)))
  const shared = {
    name: row.name,
    provider: row.provider,
    desired: row.desired,
    actual: record?.actual ?? (action === 'delete' || action === 'prune' ? 'absent' : 'unknown'),
    action,
    conditions,
  }
  const isCutShort = wrong?.problem?.code === 'interrupted' || wrong?.state === 'skipped'
  if (wrong !== undefined && isCutShort && record?.result === 'OK' && wrong === cluster) {
    const message = 'it runs, and the run was interrupted before that was noted'
    return { ...shared, result: 'warning', message }
  }
  if (wrong !== undefined && !input.isDryRun) {
    return {
      ...shared,
      result: wrong.state === 'error' ? 'error' : 'skipped',
      message: wordsOf(wrong),
    }
  }
  if (wrong !== undefined) return { ...shared, result: 'error', message: wordsOf(wrong) }
  if (action === 'noop') {
    if (record?.result === 'DRIFT') return { ...shared, result: 'warning', message: record.message }
    const told = record?.result === 'OK' ? record.message : ''
    const message = told === '' ? restWords(row, cluster, shared.actual) : told
    return { ...shared, result: 'ok', message }
  }
  const why = lead === undefined ? '' : causeOf(lead, row)
  const kinds = others.map(({ ref }) => kindOf(ref)).join(', ')
  if (input.isDryRun) {
    const left = action === 'repair' ? leftWrong(action, record) : ''
    const planned = action === 'repair' ? `${kinds}: ${why}` : why
    return { ...shared, result: 'planned', message: left === '' ? planned : `${planned}; ${left}` }
  }
  const isLeft = action === 'delete' && row.provider === 'existing'
  const message = isLeft ? 'let go: the cluster stays' : doneWords(action, why, conditions)
  const left = leftWrong(action, record)
  if (left !== '') return { ...shared, result: 'warning', message: `${message}; but ${left}` }
  return { ...shared, result: resultOf(action), message }
}

/** What is still not as its row says, though the run did what it was to do. */
function leftWrong(action: SummaryItem['action'], record: VerifyRecord | undefined): string {
  if (record === undefined || record.result === 'OK') return ''
  const isMade = action === 'create' || action === 'recreate' || action === 'start'
  return isMade || (action === 'repair' && record.result === 'DRIFT') ? record.message : ''
}

/** Nothing was to be done. */
function restWords(row: ClusterRow, cluster: StepResult | undefined, actual: string): string {
  if (row.desired === 'absent') return 'rightly absent'
  if (cluster?.cause === foundWords) return foundWords
  return actual === 'absent' ? 'it is not there' : 'cluster healthy'
}

/** What came of it, not what it was done for. */
function doneWords(
  action: SummaryItem['action'],
  why: string,
  conditions: readonly Condition[],
): string {
  switch (action) {
    case 'create':
      return 'made'
    case 'recreate':
      return `made anew: ${why}`
    case 'delete':
      return 'deleted'
    case 'prune':
      return 'its row is removed'
    case 'start':
      return `started: ${why}`
    case 'repair':
    case 'noop':
      return conditions.map(({ kind, message }) => `${kind} ${message}`).join(', ')
  }
}

function causeOf({ cause, verbs }: StepResult, { desired, provider }: ClusterRow): string {
  if (!cause.startsWith(leavingWords)) return cause
  if (provider === 'existing' && verbs.includes('delete')) return 'it is let go, and stays'
  return desired === 'absent' ? cause : 'it is cleaned away'
}

function actionOf(
  cluster: StepResult | undefined,
  own: StepResult | undefined,
  others: readonly StepResult[],
): SummaryItem['action'] {
  if (cluster?.step === 'create') return 'create'
  if (cluster?.step === 'replace') return 'recreate'
  if (cluster?.verbs.includes('delete') === true) return 'delete'
  if (cluster?.verbs.includes('start') === true) return 'start'
  if (own !== undefined && own.step !== 'skip') return 'prune'
  return others.some(({ step }) => step !== 'skip') ? 'repair' : 'noop'
}

function resultOf(action: SummaryItem['action']): SummaryItem['result'] {
  if (action === 'create' || action === 'recreate') return 'created'
  return action === 'delete' || action === 'prune' ? 'deleted' : 'done'
}

function wordsOf({ ref, cause, problem }: StepResult): string {
  const words = problem === undefined ? cause : withAdvice(problem)
  return ['cluster', 'row'].includes(kindOf(ref)) ? words : `${kindOf(ref)}: ${words}`
}

/** What to do stands behind what is wrong. */
function withAdvice({ message, suggestion }: ProblemFacts): string {
  return suggestion === undefined ? message : `${message}; ${suggestion}`
}

function conditionOf(told: StepResult, cause: string): Condition {
  const { problem } = told
  if (told.state === 'done') {
    const made = told.step === 'create' ? 'made' : `put right: ${cause}`
    const kind = kindOf(told.ref)
    const removed = kind === 'branch' ? `put aside as archive/${nameOf(told.ref)}-TIME` : 'removed'
    const message = told.verbs.includes('remove') ? removed : made
    return { kind, state: 'ok', message }
  }
  const message = problem === undefined ? cause : withAdvice(problem)
  return { kind: kindOf(told.ref), state: told.state, message }
}

/** Registrations of clusters that no row declares any more, and what all clusters share. */
function orphanOf(
  name: string,
  told: readonly StepResult[],
  { isDryRun }: SummaryInput,
): SummaryItem {
  const wrong = told.find(({ state }) => state === 'error' || state === 'skipped')
  const isGoing = told.every(({ step }) => step === 'delete')
  return {
    name,
    provider: '-',
    desired: isGoing ? 'absent' : 'present',
    actual: '-',
    action: isGoing ? 'delete' : 'repair',
    result: wrong !== undefined ? 'error' : isDryRun ? 'planned' : isGoing ? 'deleted' : 'done',
    message: wrong === undefined ? orphanWords(told, isGoing, isDryRun) : wordsOf(wrong),
    conditions: told.map((one) => conditionOf(one, one.cause)),
  }
}

function orphanWords(told: readonly StepResult[], isGoing: boolean, isDryRun: boolean): string {
  const kinds = told.map(({ ref }) => kindOf(ref)).join(', ')
  if (isDryRun) return `${kinds}: ${told[0]?.cause ?? ''}`
  return `${isGoing ? 'removed' : 'put right'}: ${kinds}`
}
