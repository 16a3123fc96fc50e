/** A plan as the text that tests compare. */
import { shown, type Plan } from '#model/plan.ts'

export function planText(plan: Plan): string {
  const lines: string[] = []
  for (const group of plan.groups) {
    lines.push(`${group.step} ${group.ref}: ${group.cause}`)
    for (const change of group.changes) {
      lines.push(`  ${change.path}: ${shown(change.from)} → ${shown(change.to)}`)
    }
    for (const part of ['prepare', 'make', 'finish', 'undo'] as const) {
      for (const operation of group[part]) {
        const waits = operation.after.length > 0 ? ` after ${operation.after.join(', ')}` : ''
        lines.push(`  ${part} ${operation.verb}${operation.disrupts ? ' !' : ''}${waits}`)
      }
    }
    if (group.gate !== 'none') lines.push(`  until ${group.gate}`)
  }
  for (const { ref, problem } of plan.skipped) lines.push(`skip ${ref}: ${problem.message}`)
  for (const { ref, why } of plan.kept) lines.push(`keep ${ref}: ${why}`)
  if (plan.unchanged.length > 0) lines.push(`unchanged ${plan.unchanged.join(', ')}`)
  return lines.join('\n')
}
