/** What all containers of an application write, as one log in the order of time. */
import { stripVTControlCharacters } from 'node:util'
import type { LogLine } from '#model/api.ts'
import type { Connection, TimedLine } from '#model/connection.ts'
import { Problem } from '#model/problem.ts'
import type { LogsWanted } from '#model/service-views.ts'
import type { AppState } from '../state/app-state.ts'
import { compareTimes, followLogs } from './follow-logs.ts'

/** Of each container, however many are asked for. */
const mostLines = 10_000
/** How long an engine may take for what was written before, ms. */
const patience = 15_000

export async function* mergedLogs(
  app: AppState,
  wanted: LogsWanted,
  signal: AbortSignal,
): AsyncIterable<LogLine> {
  const problem = app.monitor?.problem()
  if (problem !== undefined) throw problem
  const connection = app.monitor?.connection()
  if (connection?.logLines === undefined) throw withoutLogs(app.key)
  const limited = AbortSignal.any([signal, AbortSignal.timeout(patience)])
  const names = await containersOf(app, connection, wanted, limited)
  const search = wanted.search?.toLowerCase() ?? ''
  // what is seen is searched: colours inside a word are no part of it
  const fits = ({ text }: TimedLine): boolean =>
    search === '' || stripVTControlCharacters(text).toLowerCase().includes(search)
  const lasts = new Map<string, string>()
  const before = await Promise.all(
    names.map(async (container) => {
      const lines = await linesBefore(connection, app.owner, container, wanted, limited)
      lasts.set(container, lines.at(-1)?.time ?? '')
      return lines.filter(fits).map((line) => ({ container, line }))
    }),
  )
  const sorted = before
    .flat()
    .toSorted(
      (one, other) => one.line.at - other.line.at || compareTimes(one.line.time, other.line.time),
    )
  const shown =
    wanted.tail === undefined ? sorted : sorted.slice(Math.max(0, sorted.length - wanted.tail))
  for (const { container, line } of shown) yield shownLine(container, line)
  if (!wanted.follows) return
  const began = Date.now()
  const followed = followLogs({
    names,
    lasts,
    look: () =>
      containersOf(
        app,
        connection,
        wanted,
        AbortSignal.any([signal, AbortSignal.timeout(patience)]),
      ),
    mark: () => app.monitor?.listing(),
    read: (container, last, isFirst) => {
      const since = last === '' ? began : Date.parse(last)
      const from =
        last === '' && isFirst ? { tail: 0, since: undefined } : { tail: undefined, since }
      const asked = { owner: app.owner, follows: true, ...from }
      return connection.logLines?.(container, asked, signal) ?? []
    },
    signal,
  })
  for await (const { container, line } of followed) {
    if (fits(line)) yield shownLine(container, line)
  }
}

async function containersOf(
  { owner, key }: AppState,
  connection: Connection,
  { containers = [] }: LogsWanted,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const own = (await connection.containers?.(owner, signal)) ?? []
  const all = own.map(({ name }) => name)
  if (containers.length === 0) return all
  const found = own.filter(({ name, service, id }) =>
    [name, service, id].some((word) => containers.includes(word)),
  )
  if (found.length > 0) return found.map(({ name }) => name)
  throw new Problem({
    type: 'configuration',
    code: 'not_found',
    message: `${key} has no container ${containers.join(', ')}`,
    suggestion: all.length === 0 ? 'it has none at all' : `there are: ${all.join(', ')}`,
  })
}

/** With a search the last lines are those that fit, so more is read than is shown. */
async function linesBefore(
  connection: Connection,
  owner: string,
  container: string,
  { since, tail, search }: LogsWanted,
  signal: AbortSignal,
): Promise<readonly TimedLine[]> {
  const isAll = search !== undefined && search !== ''
  const most = isAll ? mostLines : Math.min(tail ?? mostLines, mostLines)
  const asked = { owner, tail: most, follows: false, since }
  const lines: TimedLine[] = []
  for await (const line of connection.logLines?.(container, asked, signal) ?? []) lines.push(line)
  return lines
}

function shownLine(container: string, { at, stream, text }: TimedLine): LogLine {
  return { at, container, stream, text }
}

function withoutLogs(key: string): Problem {
  return new Problem({
    type: 'configuration',
    code: 'unsupported',
    message: `${key} runs where logs can't be read`,
  })
}
