/** Plans and events as others may see them. */
import { mask } from '#model/secret-shapes.ts'
import type { Event } from '#model/event.ts'
import { looksSecret } from '#model/looks-secret.ts'
import { shown, type Change, type Group, type Operation, type Plan } from '#model/plan.ts'
import type { ResourceStatus } from '#model/service.ts'
import type * as z from 'zod/mini'
import type { diff } from './model.ts'

export function shownPlan(whole: Plan) {
  return { ...whole, groups: whole.groups.map(shownGroup) }
}

export function shownEvent(event: Event): Event {
  return event.type === 'planned' ? { ...event, plan: shownPlan(event.plan) } : event
}

export function shownResources(all: readonly ResourceStatus[]): readonly ResourceStatus[] {
  return all.map((one) => ({
    ...one,
    sync: { ...one.sync, changes: one.sync.changes.map(shownChange) },
  }))
}

export function diffOf(whole: Plan): z.output<typeof diff> {
  const resources = whole.groups.map(({ ref, step, cause, changes }) => ({
    ref,
    step,
    cause,
    changes: changes.map(shownChange),
  }))
  const lines: string[] = []
  for (const { ref, step, cause, changes } of resources) {
    lines.push(`${step} ${ref}: ${cause}`)
    for (const { path, from, to } of changes) {
      lines.push(`  ${path}: ${shown(from)} → ${shown(to)}`)
    }
  }
  const skipped = whole.skipped.map(({ ref, problem }) => ({ ref, problem }))
  for (const { ref, problem } of skipped) lines.push(`skip ${ref}: ${problem.message}`)
  const notes = [...whole.warnings]
  return { resources, skipped, notes, text: lines.join('\n') }
}

function shownGroup(group: Group) {
  const { prepare, make, undo, finish } = group
  return {
    ...group,
    changes: group.changes.map(shownChange),
    subject: null,
    prepare: prepare.map(shownOperation),
    make: make.map(shownOperation),
    undo: undo.map(shownOperation),
    finish: finish.map(shownOperation),
  }
}

function shownOperation(operation: Operation) {
  return { ...operation, payload: null }
}

/** Plans mask what is declared secret; this hides what only looks so, as the command line does. */
export function shownChange(change: Change): Change {
  const name = change.path.split(/[.[\]/]/).findLast((part) => part !== '') ?? ''
  const { path, from, to } = change
  const isSecret = [from, to].some((value) => looksSecret(name, text(value)))
  if (!isSecret) return change
  return { path, from: from === null ? null : mask, to: to === null ? null : mask }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
