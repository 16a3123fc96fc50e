/** The first sentence in words. Nothing is called well that is only left alone. */
import type { Counts } from './rows.ts'

export function verdictText({
  total,
  attention,
  leftAlone,
  outdated,
  sync,
  health,
}: Pick<Counts, 'total' | 'attention' | 'leftAlone' | 'outdated' | 'sync' | 'health'>): string {
  const well = total - attention - leftAlone - outdated
  const alone = [
    ...(outdated === 0 ? [] : [`${many(outdated)} well and not the newest`]),
    ...(leftAlone === 0 ? [] : [`${many(leftAlone)} suspended and never ran`]),
  ]
  if (attention > 0) {
    const needing = `${attention.toLocaleString()} ${attention === 1 ? 'needs' : 'need'} you`
    return [needing, ...(well === 0 ? [] : [`${many(well)} well`]), ...alone].join(', ')
  }
  const going = Math.max(sync.syncing, health.progressing)
  if (going > 0) return `${going.toLocaleString()} under way, nothing needs you`
  if (well === 0) return ['Nothing needs you', ...alone].join(': ')
  if (alone.length > 0) return [`${many(well)} as declared and well`, ...alone].join(', ')
  return `${total === 1 ? 'It is' : `All ${many(total)}`} as declared and well`
}

function many(count: number): string {
  return `${count.toLocaleString()} ${count === 1 ? 'is' : 'are'}`
}
