/** What the service says, ready to be given away: answers as bytes, and the two streams of events. */
import type { Clock } from '#model/clock.ts'
import type { AppStatus, Service, ServiceEvent } from '#model/service.ts'
import { sourceKey } from './access/scope.ts'
import {
  isStack,
  stackRecordOf,
  refreshOf,
  stackPath,
  rfc3339,
  type Scope,
} from './shapes/origin.ts'
import { shownEvent } from './shapes/shown-plan.ts'
import { rowsOf, type Rows } from './overview/rows.ts'
import { cached, type Cached } from './stream/cached.ts'
import { feedOf, type Feed } from './stream/feed.ts'
import type { Audience } from './stream/frame.ts'

export type PreparedAnswers = {
  readonly rows: Rows
  readonly stacks: Cached
  readonly apps: Cached
  readonly sources: Cached
  readonly refresh: Cached
  /** As the origin's clients know it. */
  readonly originFeed: Feed
  readonly feed: Feed
  close(): void
}

export function prepareAnswers(
  service: Service,
  scope: Scope,
  clock: Pick<Clock, 'now'>,
): PreparedAnswers {
  /** A path that is gone can't be asked for any more. */
  const paths = new Map<string, string>()

  function stacks(): readonly AppStatus[] {
    return service.apps().filter(isStack)
  }
  function records() {
    return stacks().map((app) => stackRecordOf(app, scope))
  }
  for (const app of stacks()) paths.set(app.key, stackPath(app, scope))

  const rows = rowsOf(service)

  const prepared = {
    rows,
    stacks: cached(records),
    apps: cached(() => service.apps()),
    sources: cached(() => service.sources()),
    refresh: cached(() => refreshOf(service.sources()[0])),
    originFeed: feedOf(clock.now(), (audience) => {
      const shown = stacks().filter(({ key }) => hears(audience, key, key))
      const data = { records: shown.map((app) => stackRecordOf(app, scope)) }
      const snapshot = { event: 'stack.snapshot', data }
      if (!hears(audience, undefined, 'refresh')) return [snapshot]
      return [snapshot, { event: 'refresh.status', data: refreshOf(service.sources()[0]) }]
    }),
    feed: feedOf(clock.now(), (audience) => {
      if (audience?.isBrief === true) return [{ event: 'reset', data: {} }]
      const apps = [...rows.all()]
        .map(({ row }) => row)
        .filter(({ key }) => hears(audience, key, key))
      const sources = service.sources().filter((one) => hears(audience, undefined, sourceKey(one)))
      return [{ event: 'snapshot', data: { apps, sources } }]
    }),
  }

  function tell(event: ServiceEvent): void {
    switch (event.type) {
      case 'app':
        tellApp(event.status)
        break
      case 'gone':
        tellGone(event.key, event.at)
        break
      case 'source':
        tellSource(event)
        break
      case 'run':
        prepared.feed.publish({
          event: 'run',
          subject: undefined,
          app: event.key,
          data: { key: event.key, event: shownEvent(event.event) },
        })
    }
  }

  function tellApp(status: AppStatus): void {
    prepared.apps.forget()
    const { key } = status
    const data = { status: rows.put(status) }
    prepared.feed.publish({ event: 'app', subject: key, app: key, row: rows.get(key), data })
    if (!isStack(status)) return
    prepared.stacks.forget()
    const record = stackRecordOf(status, scope)
    paths.set(status.key, record.path)
    const subject = status.key
    prepared.originFeed.publish({ event: 'stack.upsert', subject, app: subject, data: { record } })
  }

  function tellGone(key: string, at: number): void {
    prepared.apps.forget()
    rows.remove(key)
    prepared.feed.publish({ event: 'gone', subject: key, app: key, data: { key, at } })
    const path = paths.get(key)
    if (path === undefined) return
    prepared.stacks.forget()
    paths.delete(key)
    const data = { path, deletedAt: rfc3339(at) }
    prepared.originFeed.publish({ event: 'stack.delete', subject: key, app: key, data })
  }

  function tellSource({ status }: Extract<ServiceEvent, { type: 'source' }>): void {
    prepared.sources.forget()
    prepared.refresh.forget()
    const subject = sourceKey(status)
    prepared.feed.publish({ event: 'source', subject, app: undefined, data: { status } })
    const [first] = service.sources()
    if (first?.shown !== status.shown || first.ref !== status.ref) return
    const data = refreshOf(status)
    prepared.originFeed.publish({
      event: 'refresh.status',
      subject: 'refresh',
      app: undefined,
      data,
    })
  }

  const stop = service.listen(tell)
  return {
    ...prepared,
    close() {
      stop()
      prepared.originFeed.close()
      prepared.feed.close()
    },
  }
}

function hears(audience: Audience, app: string | undefined, subject: string): boolean {
  return audience === undefined || audience.hears({ app, subject })
}
