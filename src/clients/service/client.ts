/** Speaks to a running Tend service: the few calls that the command line needs of its API. */
import { connect, ConnectionError, type Connection } from '#clients/http/connection.ts'
import type {
  Allowed,
  AppStatus,
  Back,
  ContainerStatus,
  ResourceStatus,
  SourceStatus,
  SyncAnswer,
} from '#model/service.ts'
import type { RunPage, RunRow } from '#model/api.ts'
import type { AuditQuery, AuditRow } from '#model/audit.ts'
import type { AppRun, RunRecord } from '#model/store.ts'
import { Problem, type ProblemFacts } from '#model/problem.ts'
import { readLines, readText } from './body.ts'
import { placeOf } from './service-address.ts'
import { refusalOf, unreachable } from './problem.ts'

export type ServiceAddress = {
  readonly url: string
  readonly token: string | undefined
  /** Where the token comes from, for whoever has to change it; undefined: there is none. */
  readonly tokenFrom: string | undefined
}

export type Token = {
  readonly id: string
  readonly name: string
  readonly role: 'read' | 'sync' | 'admin'
  readonly createdAt: number
  readonly apps?: readonly string[] | undefined
  readonly expiresAt?: number | undefined
}

export type Diff = {
  readonly resources: readonly {
    readonly ref: string
    readonly step: 'create' | 'update' | 'replace' | 'delete'
    readonly cause: string
    readonly changes: readonly {
      readonly path: string
      readonly from: unknown
      readonly to: unknown
    }[]
  }[]
  readonly skipped: readonly { readonly ref: string; readonly problem: ProblemFacts }[]
  /** Absent in the answers of an older service. */
  readonly notes?: readonly string[]
  readonly text: string
}

export type LogsWanted = { readonly tail: number | undefined; readonly follows: boolean }

export type ServiceClient = {
  readonly url: string
  apps(signal: AbortSignal): Promise<readonly AppStatus[]>
  sources(signal: AbortSignal): Promise<readonly SourceStatus[]>
  runs(key: string, signal: AbortSignal): Promise<readonly RunRecord[]>
  recentRuns(most: number, signal: AbortSignal): Promise<readonly AppRun[]>
  containers(key: string, signal: AbortSignal): Promise<readonly ContainerStatus[]>
  resources(key: string, signal: AbortSignal): Promise<readonly ResourceStatus[]>
  /** The plan of a sync; with `back`, of a rollback; with `adopts`, of a sync that adopts. */
  diff(key: string, signal: AbortSignal, back?: Back, adopts?: boolean): Promise<Diff>
  sync(key: string, allowed: Allowed, waits: boolean, signal: AbortSignal): Promise<SyncAnswer>
  acknowledge(key: string, waits: boolean, signal: AbortSignal): Promise<SyncAnswer>
  /** Waits for the end of the rollback. Without a run: back to the last good one before. */
  rollback(
    key: string,
    run: number | undefined,
    allowed: Allowed,
    signal: AbortSignal,
  ): Promise<SyncAnswer>
  set(verb: 'suspend' | 'resume' | 'forget', key: string, signal: AbortSignal): Promise<AppStatus>
  logs(
    key: string,
    container: string,
    wanted: LogsWanted,
    signal: AbortSignal,
  ): AsyncIterable<string>
  tokens(signal: AbortSignal): Promise<readonly Token[]>
  createToken(
    wanted: Omit<Token, 'id' | 'createdAt'>,
    signal: AbortSignal,
  ): Promise<{ readonly token: Token; readonly text: string }>
  revokeToken(id: string, signal: AbortSignal): Promise<Token>
  /** A code that logs one browser in, once. */
  loginLink(signal: AbortSignal): Promise<{ readonly code: string; readonly expiresAt: number }>
  /** Newest first, from as many pages as it takes. */
  audit(query: AuditQuery, signal: AbortSignal): Promise<readonly AuditRow[]>
  close(): void
}

/** Fields that an answer leaves out are undefined in the store's records. */
function runOf({ key, endedAt, outcome, summary, ...run }: RunRow): AppRun {
  return { key, run: { ...run, endedAt, outcome, summary } }
}

type AuditPage = { readonly rows: readonly AuditRow[]; readonly next?: number }

/** Longer than the service itself waits for anything but a run, ms. */
const silence = 60_000

export function serviceAt(address: ServiceAddress): ServiceClient {
  const { place, base } = placeOf(address.url)
  const connection = connect(place)
  const v1 = `${base}/api/v1`
  const app = (key: string, rest = ''): string => `${v1}/apps/${encodeURIComponent(key)}${rest}`

  async function call<Answer>(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    { signal, body, isPatient = false }: Sent,
  ): Promise<Answer> {
    const answer = await sent(connection, address, { method, path, signal, body, isPatient })
    return JSON.parse(await readText(answer.body))
  }

  return {
    url: address.url,
    apps: (signal) => call('GET', `${v1}/apps`, { signal }),
    sources: (signal) => call('GET', `${v1}/sources`, { signal }),
    async recentRuns(most, signal) {
      const found: AppRun[] = []
      for (let cursor = ''; ;) {
        const query = new URLSearchParams({
          limit: String(most - found.length),
          ...(cursor === '' ? {} : { cursor }),
        })
        const { runs, next } = await call<RunPage>('GET', `${v1}/runs?${query.toString()}`, {
          signal,
        })
        found.push(...runs.map(runOf))
        if (next === undefined || found.length >= most) return found
        cursor = next
      }
    },
    runs: (key, signal) => call('GET', app(key, '/runs'), { signal }),
    resources: (key, signal) => call('GET', app(key, '/resources'), { signal }),
    containers: (key, signal) => call('GET', app(key, '/containers'), { signal }),
    diff(key, signal, back, adopts = false) {
      const words = new URLSearchParams({
        ...(back === undefined ? {} : { run: String(back.run ?? 'before') }),
        ...(adopts ? { adopt: 'true' } : {}),
      })
      const query = words.size === 0 ? '' : `?${words.toString()}`
      return call('GET', app(key, `/diff${query}`), { signal, isPatient: true })
    },
    sync(key, allowed, waits, signal) {
      const body = JSON.stringify(said(allowed))
      return call('POST', app(key, `/sync${wait(waits)}`), { signal, body, isPatient: waits })
    },
    acknowledge: (key, waits, signal) =>
      call('POST', app(key, `/acknowledge${wait(waits)}`), { signal, isPatient: waits }),
    rollback(key, run, allowed, signal) {
      const body = JSON.stringify({ ...(run === undefined ? {} : { run }), ...said(allowed) })
      return call('POST', app(key, '/rollback?wait=true'), { signal, body, isPatient: true })
    },
    set: (verb, key, signal) => call('POST', app(key, `/${verb}`), { signal }),
    async *logs(key, container, { tail, follows }, signal) {
      const wanted = new URLSearchParams({
        ...(tail === undefined ? {} : { tail: String(tail) }),
        ...(follows ? { follow: 'true' } : {}),
      })
      const path = app(key, `/logs/${encodeURIComponent(container)}?${wanted.toString()}`)
      const answer = await sent(connection, address, {
        method: 'GET',
        path,
        signal,
        isPatient: true,
      })
      yield* readLines(answer.body)
    },
    tokens: (signal) => call('GET', `${v1}/tokens`, { signal }),
    createToken: (wanted, signal) =>
      call('POST', `${v1}/tokens`, { signal, body: JSON.stringify(wanted) }),
    loginLink: (signal) => call('POST', `${v1}/session/link`, { signal }),
    revokeToken: (id, signal) =>
      call('DELETE', `${v1}/tokens/${encodeURIComponent(id)}`, { signal }),
    async audit({ limit, before, ...query }, signal) {
      const rows: AuditRow[] = []
      let next = before
      do {
        const words = new URLSearchParams()
        for (const [name, value] of Object.entries({
          ...query,
          before: next,
          limit: limit - rows.length,
        })) {
          if (value !== undefined) words.set(name, String(value))
        }
        const path = `${v1}/audit?${words.toString()}`
        const page: AuditPage = await call('GET', path, { signal })
        rows.push(...page.rows)
        next = page.next
      } while (next !== undefined && rows.length < limit)
      return rows
    },
    close: () => connection.close(),
  }
}

function wait(waits: boolean): string {
  return waits ? '?wait=true' : ''
}

/** Sends only what is set, because an older service does not know all of it. */
function said({ empty, massDelete, adopts }: Allowed): object {
  return {
    ...(empty ? { allowEmpty: true } : {}),
    ...(massDelete ? { allowMassDelete: true } : {}),
    ...(adopts === true ? { adopt: true } : {}),
  }
}

type Sent = {
  readonly signal: AbortSignal
  readonly body?: string | undefined
  /** The answer may take as long as a run. */
  readonly isPatient?: boolean
}

async function sent(
  connection: Connection,
  address: ServiceAddress,
  call: Sent & { readonly method: 'GET' | 'POST' | 'DELETE'; readonly path: string },
): ReturnType<Connection['send']> {
  const { method, path, signal, body } = call
  const headers = {
    Accept: 'application/json',
    ...(address.token === undefined ? {} : { Authorization: `Bearer ${address.token}` }),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  }
  try {
    const answer = await connection.send({
      method,
      path,
      headers,
      signal,
      ...(body === undefined ? {} : { body }),
      ...(call.isPatient === true ? {} : { silence }),
    })
    if (answer.status < 400) return answer
    throw refusalOf(answer.status, await readText(answer.body), address)
  } catch (thrown) {
    if (thrown instanceof Problem) throw thrown
    signal.throwIfAborted()
    const code = thrown instanceof ConnectionError ? thrown.code : ''
    throw unreachable(address.url, code, thrown)
  }
}
