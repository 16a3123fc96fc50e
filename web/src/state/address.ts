/** The address is the state: where the page is, and everything that a link to it must hold. */
import { computed, signal } from '@preact/signals'
import { keepScroll, restoreScroll } from './scroll.ts'

export type Address = { readonly path: string; readonly query: Readonly<Record<string, string>> }

export const address = signal<Address>(read())
export const path = computed(() => address.value.path)

function read(): Address {
  if (typeof location === 'undefined') return { path: '/', query: {} }
  return {
    path: location.pathname,
    query: Object.fromEntries(new URLSearchParams(location.search)),
  }
}

export function go(href: string, { replaces = false } = {}): void {
  if (href === location.pathname + location.search) return
  if (replaces) history.replaceState(null, '', href)
  else {
    keepScroll()
    history.pushState(null, '', href)
  }
  const before = address.value.path
  address.value = read()
  if (address.value.path !== before) {
    scrollTo(0, 0)
    document.querySelector('main')?.focus({ preventScroll: true })
  }
}

/** The same page with other values; what is undefined or empty is left out. */
export function withQuery(
  { path: at, query }: Address,
  changed: Readonly<Record<string, string | undefined>>,
): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...query, ...changed })) {
    if (value !== undefined && value !== '') params.set(name, value)
  }
  const text = params
    .toString()
    .replaceAll('%2F', '/')
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',')
  return text === '' ? at : `${at}?${text}`
}

export function setQuery(
  changed: Readonly<Record<string, string | undefined>>,
  options?: { readonly replaces: boolean },
): void {
  go(withQuery(address.value, changed), options)
}

/** Clicks on links of our own stay in the page. */
export function followLinks(): void {
  addEventListener('popstate', () => {
    address.value = read()
    restoreScroll()
  })
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const href = link?.getAttribute('href')
    if (link === null || href === null || href === undefined || !href.startsWith('/')) return
    if (link.target !== '' || link.hasAttribute('download') || href.startsWith('/login')) return
    event.preventDefault()
    go(href)
  })
}
