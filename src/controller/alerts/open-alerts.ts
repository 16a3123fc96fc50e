/** From the changes of applications to alerts: told once, remembered over restarts, never in anybody's way. */
import { problemOf, type Problem } from '#model/problem.ts'
import type { AppStatus, ServiceEvent, SourceStatus } from '#model/service.ts'
import type { KeptEntry } from '#model/timeline.ts'
import { alertFrom, alertOf, type Alert } from './alert.ts'
import type { AlertParts } from './alert-parts.ts'
import { send } from './channels/send.ts'
import { declarationsAlert, declarationsKey } from './declarations-alert.ts'
import { openMarks } from './marks.ts'
import { notebook } from './serial-notes.ts'
import { outbox, type Outbox } from './outbox.ts'
import { refused } from './deliver.ts'
import { decideAlert, troubleFrom, type Trouble } from './persistence.ts'
import { defined } from '#model/defined.ts'

export type Alerts = {
  /** Every status at the start, and every event from then on. Returns at once and never throws. */
  see(event: ServiceEvent): void
  /** They are ours now: what whoever looked after them did not get to tell is told. */
  takeOver(keys: readonly string[]): Promise<void>
  /** Somebody else looks after them, and tells what was not told yet. */
  letGo(keys: readonly string[]): void
  /** Ends when everything that can be sent now is sent and noted. */
  idle(): Promise<void>
  close(): Promise<void>
}

const troubleTopic = 'alerts'
const outboxTopic = 'alerts-outbox'
const mostWaiting = 100

export async function openAlerts(parts: AlertParts): Promise<Alerts> {
  const { instance, declared, notes, clock, readSecret, warn, record } = parts
  // each service reads files of its own
  const isOurs = (key: string): boolean => key === declarationsKey || (parts.isOurs?.(key) ?? true)
  // so that one replica's bad edit is not taken for another one's
  const isNoted = (key: string): boolean =>
    key === declarationsKey ? parts.isOurs === undefined : isOurs(key)
  const book = notebook(notes, warn)
  const troubles = new Map<string, Trouble>()
  const statuses = new Map<string, AppStatus>()
  const dues = new Map<string, number>()
  const boxes = new Map<string, Outbox<Alert>>()
  /** What is in the boxes, by the key of its note, with its application. */
  const unsent = new Map<string, string>()
  const marks = await openMarks(parts, book)
  let nap = new AbortController()

  for (const [key, note] of await notes.read(troubleTopic)) {
    const trouble = troubleFrom(note)
    const isOthers = key === declarationsKey && !isNoted(key)
    if (trouble !== undefined && !isOthers) troubles.set(key, trouble)
  }
  // what others look after they tell: each is taken over with its application
  if (parts.isOurs === undefined) await putNoted(() => true)

  async function putNoted(isMeant: (app: string) => boolean): Promise<void> {
    for (const [key, note] of await notes.read(outboxTopic)) {
      const alert = alertFrom(note)
      const channel = key.slice(0, key.indexOf('\n'))
      if (alert !== undefined && isMeant(alert.app) && !unsent.has(key)) put(channel, alert)
    }
  }

  function put(channel: string, alert: Alert): void {
    unsent.set(`${channel}\n${alert.id}`, alert.app)
    boxOf(channel).put(alert.id, alert)
  }

  async function takeOver(keys: ReadonlySet<string>): Promise<void> {
    const before = new Map(troubles)
    await book.written()
    const noted = await notes.read(troubleTopic)
    await putNoted((app) => keys.has(app))
    for (const key of keys) {
      // what was seen of it meanwhile was seen as ours
      if (troubles.get(key) !== before.get(key)) continue
      const trouble = troubleFrom(noted.get(key))
      if (trouble === undefined) troubles.delete(key)
      else troubles.set(key, trouble)
      const status = statuses.get(key)
      if (status !== undefined) consider(status)
    }
  }

  // a service that began has read them well
  considerDeclarations(undefined)

  function consider(status: AppStatus): void {
    const { key } = status
    const before = troubles.get(key)
    const now = clock.now()
    const { trouble, tells, due } = decideAlert(before, status, now, declared().alerts)
    if (tells !== undefined) tell(alertOf(tells, status, trouble ?? defined(before), instance, now))
    remember(key, before, trouble)
    if (due === undefined) dues.delete(key)
    else dues.set(key, due)
    sleepAgain()
  }

  function remember(key: string, before: Trouble | undefined, trouble: Trouble | undefined): void {
    if (trouble === undefined) {
      if (troubles.delete(key) && isNoted(key)) book.write(troubleTopic, key, undefined)
      return
    }
    troubles.set(key, trouble)
    const isSame =
      before?.failures === trouble.failures &&
      before.isTold === trouble.isTold &&
      before.since === trouble.since
    if (!isSame && isNoted(key)) book.write(troubleTopic, key, trouble)
  }

  /** Noted before it counts as told: a kill in between tells it twice rather than never. */
  function tell(alert: Alert): void {
    if (!isOurs(alert.app)) return
    const { channels } = declared().alerts
    if (channels.length > 0 && alert.app !== declarationsKey)
      record?.(entryOf(alert, channels.map(({ name }) => name).join(', ')))
    for (const { name } of channels) {
      book.write(outboxTopic, `${name}\n${alert.id}`, alert)
      put(name, alert)
    }
  }

  function boxOf(name: string): Outbox<Alert> {
    const known = boxes.get(name)
    if (known !== undefined) return known
    const forget = (id: string) => {
      unsent.delete(`${name}\n${id}`)
      book.write(outboxTopic, `${name}\n${id}`, undefined)
    }
    const box = outbox<Alert>(mostWaiting, clock, {
      async send(alert, signal) {
        const channel = declared().alerts.channels.find((one) => one.name === name)
        if (channel === undefined) throw refused('it is no longer declared', '')
        await send(channel, alert, readSecret, signal)
      },
      sent: forget,
      gaveUp(id, alert, why) {
        forget(id)
        const text = `${JSON.stringify(name)} was not told that ${alert.app} is ${alert.type}: ${wordsOf(why)}`
        warn(`alert ${text}`)
        record?.({ at: clock.now(), type: 'alert', key: alert.app, text, tone: 'bad' })
      },
    })
    boxes.set(name, box)
    return box
  }

  /** Time passes though nothing changes. */
  function sleepAgain(): void {
    nap.abort()
    nap = new AbortController()
    if (dues.size === 0) return
    const next = Math.min(...dues.values())
    clock.sleep(Math.max(0, next - clock.now()), nap.signal).then(
      () => safely(lookAgain),
      () => undefined,
    )
  }

  function lookAgain(): void {
    const now = clock.now()
    for (const [key, due] of dues) {
      const status = statuses.get(key)
      if (due <= now && status !== undefined) consider(status)
    }
    sleepAgain()
  }

  function take(event: ServiceEvent): void {
    if (event.type === 'app') {
      statuses.set(event.status.key, event.status)
      consider(event.status)
      if (isOurs(event.status.key)) marks.see(event.status)
    } else if (event.type === 'gone') {
      statuses.delete(event.key)
      dues.delete(event.key)
      remember(event.key, troubles.get(event.key), undefined)
      marks.forget(event.key)
    } else if (event.type === 'source' && event.status.refType === 'declarations') {
      considerDeclarations(event.status)
    }
  }

  /** A bad edit is told at once, and once: nothing mends it but a person. */
  function considerDeclarations(status: SourceStatus | undefined): void {
    const before = troubles.get(declarationsKey)
    const now = clock.now()
    const isFailing = status?.state === 'failed'
    if (isFailing === (before !== undefined)) return
    const trouble = { since: before?.since ?? now, failures: 1, isTold: true }
    tell(declarationsAlert(isFailing ? 'failing' : 'recovered', status, trouble, instance, now))
    remember(declarationsKey, before, isFailing ? trouble : undefined)
  }

  function safely(work: () => void): void {
    try {
      work()
    } catch (error) {
      warn(`alerts: ${error instanceof Error ? error.message : 'a fault'}`)
    }
  }

  return {
    see: (event) => safely(() => take(event)),
    async takeOver(keys) {
      await takeOver(new Set(keys)).catch((thrown: unknown) => {
        warn(`alerts of what was taken over: ${problemOf(thrown).message}`)
      })
    },
    letGo(keys) {
      const gone = new Set(keys)
      for (const box of boxes.values()) box.drop(({ app }) => gone.has(app))
      for (const [key, app] of unsent) if (gone.has(app)) unsent.delete(key)
    },
    async idle() {
      await Promise.all([...boxes.values()].map((box) => box.idle()))
      await marks.idle()
      await book.written()
    },
    async close() {
      nap.abort()
      for (const box of boxes.values()) box.close()
      marks.close()
      await Promise.all([...boxes.values()].map((box) => box.idle()))
      await marks.idle()
      await book.written()
    },
  }
}

function entryOf({ at, app, type, reason }: Alert, names: string): KeptEntry {
  const isFailing = type === 'failing'
  const why = reason === '' ? '' : `: ${reason}`
  const text = `${names} told: ${isFailing ? `it keeps failing${why}` : 'it is well again'}`
  return { at, type: 'alert', key: app, text, tone: isFailing ? 'bad' : 'good' }
}

export function wordsOf(why: Problem | 'too many'): string {
  if (why === 'too many') return 'too many were waiting'
  return why.suggestion ? `${why.message}; ${why.suggestion}` : why.message
}
