/** The one stream of events: opened for what the page shows, opened again when it breaks. */
import { signal } from '@preact/signals'
import type { AppRow, SourceRow } from '#model/api.ts'
import type { Event } from '#model/event.ts'
import type { AppStatus } from '#model/service.ts'
import { queryText, type Query } from './query.ts'
import { get, isLoginNeeded } from './request.ts'

export type StreamEvent =
  | { readonly type: 'app'; readonly status: AppStatus & Partial<AppRow> }
  | { readonly type: 'gone'; readonly key: string }
  | { readonly type: 'source'; readonly status: Partial<SourceRow> }
  | { readonly type: 'run'; readonly key: string; readonly event: Event }
  /** Something may have been missed: what is shown has to be asked for again. */
  | { readonly type: 'missed' }

/** `refused`: the service is there, and this login may not hear what the page follows. */
export type Connection = 'connecting' | 'live' | 'lost' | 'refused'

export const connection = signal<Connection>('connecting')

const listeners = new Set<(event: StreamEvent) => void>()
const types = ['app', 'gone', 'source', 'run'] as const
/** The stream begins, or could not give all that was missed; an application that no longer fits the filter has left. */
const resets = ['reset', 'snapshot'] as const
const longestPause = 15_000

let source: EventSource | undefined
let wanted = ''
let pause = 1000
let timer: ReturnType<typeof setTimeout> | undefined

/** Ends with the function that it gives. */
export function listen(listener: (event: StreamEvent) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** A browser opens few connections to one host: all of the page shares this one, for what is in view. */
export function follow(query: Query): void {
  const path = `/api/v1/events${queryText({ ...query, snapshot: false })}`
  if (path === wanted && source !== undefined) return
  wanted = path
  open()
}

/** Whoever looks next hears by their own right, and not by that of who was here before. */
export function close(): void {
  clearTimeout(timer)
  source?.close()
  source = undefined
}

function open(): void {
  close()
  const opened = new EventSource(wanted)
  source = opened
  if (connection.value !== 'live') connection.value = 'connecting'
  opened.onopen = () => {
    pause = 1000
    connection.value = 'live'
  }
  opened.onerror = () => {
    // the browser tries again by itself unless the answer was no stream
    if (opened.readyState !== EventSource.CLOSED) connection.value = 'lost'
    else void isRefused(wanted).then((isIt) => source === opened && (isIt ? refused() : again()))
  }
  for (const type of resets) opened.addEventListener(type, () => tell({ type: 'missed' }))
  opened.addEventListener('left', ({ data }: MessageEvent<string>) => {
    const { key }: { readonly key: string } = JSON.parse(data)
    tell({ type: 'gone', key })
  })
  for (const type of types) {
    opened.addEventListener(type, ({ data }: MessageEvent<string>) => {
      const event: StreamEvent = { type, ...JSON.parse(data) }
      tell(event)
    })
  }
}

/** A stream tells no script why it was not opened: the same question does, and ends with its first word. */
async function isRefused(path: string): Promise<boolean> {
  const control = new AbortController()
  try {
    return (
      (await fetch(path, { credentials: 'same-origin', signal: control.signal })).status === 403
    )
  } catch {
    // nobody answers: that is no refusal
    return false
  } finally {
    control.abort()
  }
}

/** Another try would end the same way. What the page asks for says which right is missing. */
function refused(): void {
  close()
  connection.value = 'refused'
}

/** A login that has ended shows here first: then nothing is tried until somebody logs in. */
function again(): void {
  connection.value = 'lost'
  clearTimeout(timer)
  const broken = source
  timer = setTimeout(() => {
    get('/api/v1/me').then(
      () => source === broken && open(),
      () => source === broken && (isLoginNeeded.value ? close() : again()),
    )
  }, pause)
  pause = Math.min(pause * 2, longestPause)
}

function tell(event: StreamEvent): void {
  for (const listener of listeners) listener(event)
}
