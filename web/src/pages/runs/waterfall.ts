/** The events of a run as bars over time: what each resource waited for, did, and where it failed. */
import type { Event, Part } from '#model/event.ts'
import type { Step } from '#model/plan.ts'
import type { ProblemFacts } from '#model/problem.ts'
import type { Ref } from '#model/ref.ts'

export type Bar = {
  readonly part: Part | 'waiting'
  readonly from: number
  readonly to: number
  readonly words: string
  readonly isFailed: boolean
}

export type WaterfallRow = {
  readonly ref: Ref
  readonly step: Step
  readonly needs: readonly Ref[]
  readonly bars: readonly Bar[]
  readonly end: 'passed' | 'failed' | 'skipped' | 'undone' | 'open'
  readonly problem: ProblemFacts | undefined
}

export type Waterfall = {
  readonly from: number
  readonly to: number
  readonly rows: readonly WaterfallRow[]
}

type Draft = {
  bars: Bar[]
  waitingFrom: number | undefined
  end: WaterfallRow['end']
  problem: ProblemFacts | undefined
}

export function waterfallOf(events: readonly Event[], now: number): Waterfall {
  const planned = events.find((event) => event.type === 'planned')
  const groups = planned?.plan.groups ?? []
  const drafts = new Map<Ref, Draft>(
    groups.map(({ ref }) => [
      ref,
      { bars: [], waitingFrom: undefined, end: 'open', problem: undefined },
    ]),
  )
  const from = events[0]?.at ?? now
  const to = events.find((event) => event.type === 'ended')?.at ?? now
  for (const event of events) {
    if (event.type === 'operation') addOperation(drafts.get(event.ref), event)
    if (event.type === 'group') addPhase(drafts.get(event.ref), event)
  }
  for (const draft of drafts.values()) closeWaiting(draft, to, false)
  const rows = groups.map(({ ref, step, needs }) => {
    const { bars = [], end = 'open', problem } = drafts.get(ref) ?? {}
    return { ref, step, needs: needs.map((need) => need.ref), bars, end, problem }
  })
  return {
    from,
    to: Math.max(to, from + 1),
    rows: rows.toSorted((a, b) => startOf(a, to) - startOf(b, to)),
  }
}

/** What is got ready beforehand (a pull) begins for all at once: what counts is the work that waits for others. */
function startOf({ bars }: WaterfallRow, to: number): number {
  const work = bars.find(({ part }) => part !== 'prepare') ?? bars[0]
  return work?.from ?? to
}

function addOperation(
  draft: Draft | undefined,
  event: Extract<Event, { readonly type: 'operation' }>,
): void {
  if (draft === undefined || event.phase === 'began') return
  const from = event.at - (event.milliseconds ?? 0)
  const isFailed = event.phase === 'failed' || event.phase === 'again'
  draft.bars.push({ part: event.part, from, to: event.at, words: event.words, isFailed })
}

function addPhase(
  draft: Draft | undefined,
  event: Extract<Event, { readonly type: 'group' }>,
): void {
  if (draft === undefined) return
  switch (event.phase) {
    case 'waiting':
      draft.waitingFrom = event.at
      break
    case 'passed':
    case 'done':
      closeWaiting(draft, event.at, false)
      if (draft.end === 'open') draft.end = 'passed'
      break
    case 'failed':
      closeWaiting(draft, event.at, true)
      draft.end = 'failed'
      draft.problem = event.problem
      break
    case 'skipped':
      draft.end = 'skipped'
      draft.problem = event.problem
      break
    case 'undone':
      if (draft.end !== 'failed') draft.end = 'undone'
      break
    case 'began':
      break
  }
}

function closeWaiting(draft: Draft, at: number, isFailed: boolean): void {
  if (draft.waitingFrom === undefined) return
  draft.bars.push({
    part: 'waiting',
    from: draft.waitingFrom,
    to: at,
    words: 'Waiting for health',
    isFailed,
  })
  draft.waitingFrom = undefined
}
