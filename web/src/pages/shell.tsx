/** The frame around every page: navigation, who is there, whether the page is live. */
import type { ComponentChildren } from 'preact'
import { connection } from '../api/stream.ts'
import { isDialogOpen } from '../parts/dialog.tsx'
import { Icon, type IconName } from '../parts/icon.tsx'
import { Notice } from '../parts/notice.tsx'
import { Toasts } from '../parts/toasts.tsx'
import type { Place } from '../state/routes.ts'
import { logOut, me } from '../state/session.ts'
import { isDark, setTheme } from '../state/theme.ts'
import { sayTrouble } from '../state/toasts.ts'

const pages: readonly (readonly [Place['page'], string, string, IconName])[] = [
  ['overview', '/', 'Overview', 'overview'],
  ['timeline', '/timeline', 'Timeline', 'timeline'],
  ['sources', '/sources', 'Sources', 'source'],
  ['targets', '/targets', 'Targets', 'target'],
  ['fleets', '/fleets', 'Fleets', 'fleet'],
]

const connectionWords = {
  live: 'Live',
  connecting: 'Connecting',
  lost: 'Not connected',
  refused: 'No right to this page',
} as const

export function Shell({
  place,
  children,
}: {
  readonly place: Place
  readonly children: ComponentChildren
}) {
  return (
    <div class="shell">
      <a class="button skip" href="#content">
        Skip to content
      </a>
      <header class="side">
        <a class="brand" href="/">
          <img src="/icon.svg" alt="" />
          Tend
        </a>
        <nav aria-label="Pages">
          {pages.map(([page, href, title, icon]) => (
            <a key={page} href={href} aria-current={isAt(place, page) ? 'page' : undefined}>
              <Icon name={icon} />
              {title}
            </a>
          ))}
        </nav>
        <Foot />
      </header>
      <main id="content" tabIndex={-1}>
        {connection.value === 'lost' && (
          <div class="lost-banner">
            <Notice tone="warn">
              Not connected to the service. What is shown may be out of date; it is tried again.
            </Notice>
          </div>
        )}
        {children}
      </main>
      <Toasts isQuiet={isDialogOpen.value} />
    </div>
  )
}

function isAt({ page }: Place, link: Place['page']): boolean {
  if (link === 'overview') return page === 'overview' || page === 'app' || page === 'plan'
  return page === link
}

function Foot() {
  const person = me.value
  const dark = isDark()
  return (
    <div class="side-foot">
      <div class="row">
        <span class={`connection ${connection.value}`} role="status">
          {connectionWords[connection.value]}
        </span>
      </div>
      {person !== undefined && (
        <div class="row">
          <Icon name="person" />
          <span class="truncate" title={`${person.name}, role ${person.role}`}>
            {person.name}
          </span>
        </div>
      )}
      <div class="row">
        <button
          type="button"
          class="button plain square"
          aria-label={dark ? 'Light theme' : 'Dark theme'}
          title={dark ? 'Light theme' : 'Dark theme'}
          onClick={() => setTheme(dark ? 'light' : 'dark')}
        >
          <Icon name={dark ? 'sun' : 'moon'} />
        </button>
        {person?.kind !== 'anybody' && (
          <button
            type="button"
            class="button plain square"
            aria-label="Log out"
            title="Log out"
            onClick={() => void logOut().catch(sayTrouble)}
          >
            <Icon name="leave" />
          </button>
        )}
      </div>
    </div>
  )
}
