/** What `--verbose` prints during a run: blocks of timed lines, one for each group that has ended. */
import type { Application } from '#model/application.ts'
import type { Event, EventOf } from '#model/event.ts'
import type { Group } from '#model/plan.ts'
import type { Ref } from '#model/ref.ts'
import type { ViewOptions } from './view-options.ts'
import { mark, type Indicator } from './paint.ts'
import { problemDetails } from './problems.ts'
import { undoneWords } from './results.ts'
import { pastOf, seconds, skipWords, thing } from './labels.ts'

export type Log = {
  /** The block that this event completes, with a blank line between blocks; otherwise nothing. */
  on(event: Event): readonly string[]
  /** The blocks of groups that the run left unfinished. */
  rest(): readonly string[]
}

/** Groups run side by side. Their lines are kept apart until a group ends, so that its lines stand together. */
export function logOf(view: ViewOptions): Log {
  const blocks = new Map<Ref, string[]>()
  const groups = new Map<Ref, Group>()
  let application: Application | undefined
  let run: number | undefined
  let isFirst = true

  function flush(ref: Ref, end: readonly string[]): readonly string[] {
    const block = [...(blocks.get(ref) ?? []), ...end]
    blocks.delete(ref)
    if (block.length === 0) return []
    const lead = isFirst ? [] : ['']
    isFirst = false
    return [...lead, ...block]
  }

  function ends(event: EventOf<'group'>): readonly string[] {
    const group = groups.get(event.ref)
    if (group === undefined || event.phase === 'began' || event.phase === 'waiting') return []
    // What passed is told already; what is removed after it stands for itself. A deletion only has this end.
    if (event.phase === 'done' && event.step !== 'delete') return flush(event.ref, [])
    const details =
      event.phase === 'failed' && event.problem !== undefined
        ? problemDetails(event.problem, { isVerbose: true, application, run })
        : []
    const end = [endLine(event, group, view), ...details.map((detail) => `    ${detail}`)]
    return flush(event.ref, end)
  }

  function on(event: Event): readonly string[] {
    if (event.type === 'started') application = event.application
    if (event.type === 'opened') run = event.run
    if (event.type === 'planned')
      for (const group of event.plan.groups) groups.set(group.ref, group)
    if (event.type === 'operation') {
      const block = blocks.get(event.ref) ?? []
      blocks.set(event.ref, [...block, ...operationLines(event, view)])
    }
    return event.type === 'group' ? ends(event) : []
  }

  function rest(): readonly string[] {
    return [...blocks.keys()].flatMap((ref) => flush(ref, []))
  }

  return { on, rest }
}

function operationLines(event: EventOf<'operation'>, view: ViewOptions): readonly string[] {
  const stamp = `[${view.time(event.at)}] `
  const message = event.problem?.message ?? 'failed'
  switch (event.phase) {
    case 'began':
      if (event.attempt > 1) return []
      return [
        `${stamp}${event.words}`,
        ...(event.command === undefined
          ? []
          : [`${stamp}${mark('→', view.paint)} ${event.command}`]),
      ]
    case 'again': {
      const delay = event.delay === undefined ? '' : `; trying again in ${seconds(event.delay)}`
      return [`${stamp}${mark('✗', view.paint)} attempt ${event.attempt}: ${message}${delay}`]
    }
    case 'failed':
      return event.attempt > 1
        ? [`${stamp}${mark('✗', view.paint)} attempt ${event.attempt}: ${message}`]
        : []
    case 'done':
      return []
  }
}

function endLine(event: EventOf<'group'>, group: Group, view: ViewOptions): string {
  const lasted = event.milliseconds === undefined ? '' : ` (${seconds(event.milliseconds)})`
  function line(indicator: Indicator, words: string): string {
    const stamp = `[${view.time(event.at)}]`
    return `${stamp} ${mark(indicator, view.paint)} ${thing(event.ref)} ${words}`
  }
  switch (event.phase) {
    case 'failed':
      return line('✗', `failed${lasted}`)
    case 'skipped':
      return line('-', skipWords(event.problem))
    case 'undone':
      return line(group.step === 'create' ? '-' : '~', undoneWords(group, view.before) + lasted)
    case 'began':
    case 'waiting':
    case 'passed':
    case 'done':
      return line('✓', pastOf(event.step) + lasted)
  }
}
