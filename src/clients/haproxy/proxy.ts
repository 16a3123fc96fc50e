/** HAProxy as a fleet keeps it: a static configuration that is checked before it counts, and a process that reloads without a gap. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CommandError } from '#clients/command/command-error.ts'
import { run } from '#clients/command/run.ts'
import { Problem, problemOf } from '#model/problem.ts'
import { readRoutes, writeRoutes } from './map.ts'
import { ask } from './runtime.ts'

export type Proxy = {
  readonly program: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly folder: string
  /** What it listens on: `127.0.0.1:80`. */
  readonly http: string
}

export function filesOf(folder: string) {
  return {
    config: join(folder, 'haproxy.cfg'),
    map: join(folder, 'routes.map'),
    socket: join(folder, 'haproxy.sock'),
    master: join(folder, 'master.sock'),
    pid: join(folder, 'haproxy.pid'),
  } as const
}

/** Routes are looked up by the host without its first word, whole: what is not in the map is nobody's. */
export function configText({ folder, http }: Pick<Proxy, 'folder' | 'http'>): string {
  const { map, socket } = filesOf(folder)
  return `# written by tend fleet; changes are lost
global
    stats socket ${socket} mode 600 level admin expose-fd listeners

defaults
    mode http
    timeout connect 5s
    timeout client 60s
    timeout server 60s
    timeout tunnel 1h

frontend fleet
    bind ${http}
    http-request set-var(txn.host) req.hdr(host),host_only,lower,regsub(^[^.]+\\.,)
    http-request set-var(txn.to) var(txn.host),map_str(${map})
    http-request return status 404 content-type text/plain string "no such environment\\n" unless { var(txn.to) -m found }
    default_backend clusters

backend clusters
    http-request set-dst var(txn.to),field(1,:)
    http-request set-dst-port var(txn.to),field(2,:)
    server any 0.0.0.0:0
`
}

export function readConfig(folder: string): string | undefined {
  try {
    return readFileSync(filesOf(folder).config, 'utf8')
  } catch {
    return undefined
  }
}

/** Checked beside the one that counts; the old one stays where the new one is refused. */
export async function writeConfig(proxy: Proxy, signal: AbortSignal): Promise<void> {
  const { config, map } = filesOf(proxy.folder)
  if (/[\s"'#()\\,]/.test(proxy.folder)) throw unusable(proxy.folder)
  mkdirSync(proxy.folder, { recursive: true, mode: 0o700 })
  writeRoutes(map, readRoutes(map))
  const fresh = `${config}.new`
  writeFileSync(fresh, configText(proxy), { mode: 0o600 })
  try {
    await haproxy(proxy, ['-c', '-f', fresh], signal)
  } catch (error) {
    rmSync(fresh, { force: true })
    throw error
  }
  renameSync(fresh, config)
}

/** What counts, as it lies there. */
export async function checkConfig(proxy: Proxy, signal: AbortSignal): Promise<void> {
  await haproxy(proxy, ['-c', '-f', filesOf(proxy.folder).config], signal)
}

export async function isRunning({ folder }: Proxy, signal: AbortSignal): Promise<boolean> {
  return (await processes(folder, signal)) !== undefined
}

type Processes = { readonly workers: string; readonly failures: number }

/** Undefined: nobody answers. */
async function processes(folder: string, signal: AbortSignal): Promise<Processes | undefined> {
  try {
    const text = await ask(filesOf(folder).master, 'show proc', signal)
    const current = /# workers\n([\s\S]*?)(?:# |$)/.exec(text)?.[1] ?? ''
    const workers = [...current.matchAll(/^(\d+)\s+worker/gm)].map(([, pid]) => pid).join(' ')
    return { workers, failures: Number(/failed: (\d+)/.exec(text)?.[1] ?? 0) }
  } catch (thrown) {
    if (problemOf(thrown).code === 'unreachable') return undefined
    throw thrown
  }
}

const longestReload = 10_000
const pause = 30

/** New connections go to the new process, old ones end where they are. Done when the new one is there. */
export async function reload({ folder }: Proxy, signal: AbortSignal): Promise<void> {
  const before = await processes(folder, signal)
  await ask(filesOf(folder).master, 'reload', signal)
  for (let waited = 0; waited < longestReload; waited += pause) {
    const now = await processes(folder, signal)
    if (now !== undefined && now.failures > (before?.failures ?? 0)) break
    if (now !== undefined && now.workers !== '' && now.workers !== before?.workers) return
    await sleep(pause, undefined, { signal })
  }
  throw new Problem({
    type: 'runtime',
    code: 'api_error',
    message: 'HAProxy did not reload: the process of before goes on serving',
    suggestion: `haproxy -c -f ${filesOf(folder).config} says what is wrong`,
  })
}

/** In the background, with a master that hands its listeners on. */
export async function start(proxy: Proxy, signal: AbortSignal): Promise<void> {
  const { config, master, pid } = filesOf(proxy.folder)
  await haproxy(proxy, ['-W', '-D', '-S', `${master},mode,600`, '-p', pid, '-f', config], signal)
}

async function haproxy(proxy: Proxy, words: readonly string[], signal: AbortSignal): Promise<void> {
  const { program, environment } = proxy
  try {
    await run({ program, arguments: words, environment, signal, limit: 30_000 })
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    const { startFailure, errorOutput } = error.facts
    const alerts = errorOutput.split('\n').filter((line) => /ALERT|error/i.test(line))
    throw new Problem({
      type: 'runtime',
      code: startFailure === undefined ? 'bad_value' : 'not_possible_here',
      message:
        startFailure === undefined
          ? `HAProxy refuses: ${alerts[0] ?? error.message}`
          : error.message,
      suggestion:
        startFailure === undefined
          ? 'see what fleet.yaml says under haproxy'
          : 'install HAProxy, or name it in fleet.yaml: haproxy.program',
      details: alerts.slice(0, 10),
    })
  }
}

function unusable(folder: string): Problem {
  return new Problem({
    type: 'configuration',
    code: 'declaration_error',
    message: `HAProxy's folder has a name that its configuration can't hold: ${folder}`,
    suggestion: 'name another one in fleet.yaml: haproxy.folder',
  })
}
