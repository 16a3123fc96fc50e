/** The first sentence of the page: whether all is as declared and well, and if not what is worst, since when and why. */
import type { AppRow } from '#model/api.ts'
import { Icon } from '../../parts/icon.tsx'
import { Ago } from '../../parts/time.tsx'
import { setQuery } from '../../state/address.ts'
import { appLink } from '../../state/links.ts'
import { notNewestSince } from './not-newest.ts'
import type { Counts } from './rows.ts'
import { verdictText } from './verdict-text.ts'
import { whyOf, wholeWhyOf } from './why.ts'

export function Verdict({
  counts,
  query,
}: {
  readonly counts: Counts
  readonly query: Readonly<Record<string, string>>
}) {
  const { total, attention, leftAlone, outdated, sync, health, worst } = counts
  if (total === 0) return null
  if (attention === 0) {
    const going = Math.max(sync.syncing, health.progressing)
    const isAsDeclared = leftAlone + outdated < total
    return (
      <p class={`verdict tone-${going > 0 || !isAsDeclared ? 'info' : 'good'}`} role="status">
        <Icon name={going > 0 ? 'spinner' : isAsDeclared ? 'ring' : 'pause'} />
        <strong>{verdictText(counts)}</strong>
      </p>
    )
  }
  const isOnly = query['only'] === 'attention'
  const isBad = health.failed > 0 || health.degraded > 0
  return (
    <p class={`verdict tone-${isBad ? 'bad' : 'warn'}`} role="status">
      <Icon name={isBad ? 'fail' : 'warning'} />
      <strong>{verdictText(counts)}</strong>
      {worst !== undefined && <Worst app={worst} />}
      {(isOnly || attention < total) && (
        <button
          type="button"
          class="link"
          onClick={() => setQuery({ only: isOnly ? undefined : 'attention' })}
        >
          {isOnly ? 'Show all' : 'Show only these'}
        </button>
      )}
    </p>
  )
}

function Worst({ app }: { readonly app: AppRow }) {
  const { key, application, health, sync } = app
  const isUnwell = health.state !== 'healthy' && health.state !== 'progressing'
  const { state, since } = isUnwell ? health : sync
  const isBehind = !isUnwell && sync.isBehind === true
  const notNewest = notNewestSince(app)
  const word =
    app.isUndeclared === true
      ? 'no longer declared'
      : notNewest !== undefined
        ? 'newest not applied'
        : isBehind
          ? 'behind'
          : state
  const why = whyOf(app)
  return (
    <span class="verdict-worst truncate" title={wholeWhyOf(app)}>
      <a class="link" href={appLink(key)}>
        {application.name}
      </a>{' '}
      {word} <Ago at={notNewest ?? since} />
      {why === '' ? '' : `: ${why}`}
    </span>
  )
}
