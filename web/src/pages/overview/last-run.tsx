/** How the last run ended, and when the next try is. */
import type { AppRow } from '#model/api.ts'
import { Icon } from '../../parts/icon.tsx'
import { Ago } from '../../parts/time.tsx'
import { runLink } from '../../state/links.ts'
import { outcomeLooks } from '../../state/tones.ts'

export function LastRun({ app: { key, lastRun, nextTry } }: { readonly app: AppRow }) {
  if (lastRun === undefined) return <span class="muted cell-run">–</span>
  const { tone, icon, word } = outcomeLooks[lastRun.outcome]
  const title = `${word}${lastRun.isRolledBack ? ', rolled back' : ''} (${lastRun.trigger})`
  const words = (
    <>
      <span class={`tone-${tone}`}>
        <Icon name={lastRun.isRolledBack ? 'back' : icon} />
      </span>
      <span class="hidden">{title}</span>
      <Ago at={lastRun.at} />
    </>
  )
  return (
    <div class="cell-run">
      {lastRun.number === undefined ? (
        <span class="state" title={title}>
          {words}
        </span>
      ) : (
        <a class="state" href={runLink(key, lastRun.number)} title={title}>
          {words}
        </a>
      )}
      {nextTry !== undefined && (
        <span class="muted small">
          next <Ago at={nextTry} />
        </span>
      )}
    </div>
  )
}
