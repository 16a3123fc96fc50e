/** HAProxy as a fleet keeps it: a static configuration that is checked before it counts, and a process that reloads without a gap. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CommandError } from '#clients/command/command-error.ts'
import { run } from '#clients/command/run.ts'
import { hashOf } from '#model/json.ts'
import { Problem, problemOf } from '#model/problem.ts'
import { readRoutes, writeRoutes } from './map.ts'
import { ask, doesNotRun } from './runtime.ts'

export type Proxy = {
  readonly program: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly folder: string
  /** The address that it listens on: `127.0.0.1:80`. */
  readonly http: string
  /** The address that it listens on for TLS, which is passed through by its SNI; undefined: none. */
  readonly https?: string | undefined
}

export type Listening = Pick<Proxy, 'folder' | 'http' | 'https'>

export function filesOf(folder: string) {
  return {
    config: join(folder, 'haproxy.cfg'),
    map: join(folder, 'routes.map'),
    tlsMap: join(folder, 'tls-routes.map'),
    socket: join(folder, 'haproxy.sock'),
    master: join(folder, 'master.sock'),
    pid: join(folder, 'haproxy.pid'),
  } as const
}

/** The configuration with a mark of its own, by which a process shows which configuration it uses. */
export function configText(proxy: Listening): string {
  return ruleText(proxy).replace('global\n', `global\n    description ${markOf(proxy)}\n`)
}

function markOf(proxy: Listening): string {
  return hashOf(ruleText(proxy)).slice(0, 16)
}

/** Whether a process uses another configuration: a killed run wrote one and did not reload the process. */
export async function isBehind(proxy: Proxy, signal: AbortSignal): Promise<boolean> {
  try {
    const info = await ask(filesOf(proxy.folder).socket, 'show info', signal)
    return /^description: (\S+)/m.exec(info)?.[1] !== markOf(proxy)
  } catch (thrown) {
    if (doesNotRun(thrown)) return false
    throw thrown
  }
}

/**
 * Routes are looked up by the host without its first word, whole: what is not in the map is nobody's. Without `noreuseport` it
 * would share an address with any other HAProxy of the machine, and each would get half of the other's requests.
 */
function ruleText({ folder, http, https }: Listening): string {
  const { map, socket } = filesOf(folder)
  return `# written by tend fleet; changes are lost
global
    noreuseport
    stats socket ${socket} mode 600 level admin expose-fd listeners

defaults
    mode http
    timeout connect 5s
    timeout client 60s
    timeout server 60s
    timeout tunnel 1h
    option idle-close-on-response

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
${https === undefined ? '' : tlsText(folder, https)}`
}

/** The first message of TLS names the host; nothing is decrypted here. A connection that names none, or an unknown one, is closed. */
function tlsText(folder: string, https: string): string {
  const isHello = '{ req.ssl_hello_type 1 }'
  return `
frontend fleet-tls
    mode tcp
    bind ${https}
    tcp-request inspect-delay 5s
    tcp-request content set-var(txn.host) req.ssl_sni,lower,regsub(^[^.]+\\.,) if ${isHello}
    tcp-request content set-var(txn.to) var(txn.host),map_str(${filesOf(folder).tlsMap}) if ${isHello}
    tcp-request content reject if ${isHello} !{ var(txn.to) -m found }
    tcp-request content set-dst var(txn.to),field(1,:) if ${isHello}
    tcp-request content set-dst-port var(txn.to),field(2,:) if ${isHello}
    tcp-request content accept if ${isHello}
    tcp-request content reject
    default_backend clusters-tls

backend clusters-tls
    mode tcp
    server any 0.0.0.0:0
`
}

export function readConfig(folder: string): string | undefined {
  try {
    return readFileSync(filesOf(folder).config, 'utf8')
  } catch {
    // there is none before the first start
    return undefined
  }
}

/** Gives whether HAProxy runs. A configuration that the running process does not take is put back, so that the file is what it uses. */
export async function applyConfig(proxy: Proxy, signal: AbortSignal): Promise<boolean> {
  const before = readConfig(proxy.folder)
  await writeConfig(proxy, signal)
  if (!(await isRunning(proxy, signal))) return false
  try {
    await reload(proxy, signal)
  } catch (error) {
    if (before !== undefined) put(filesOf(proxy.folder).config, before)
    throw error
  }
  return true
}

function put(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/** Checks the new file beside the one that counts. The old one stays where the new one is refused. */
export async function writeConfig(proxy: Proxy, signal: AbortSignal): Promise<void> {
  const { config, map, tlsMap } = filesOf(proxy.folder)
  if (/[\s"'#()\\,]/.test(proxy.folder)) throw unusable(proxy.folder)
  mkdirSync(proxy.folder, { recursive: true, mode: 0o700 })
  writeRoutes(map, readRoutes(map))
  if (proxy.https !== undefined) writeRoutes(tlsMap, readRoutes(tlsMap))
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

/** Checks the configuration that counts. */
export async function checkConfig(proxy: Proxy, signal: AbortSignal): Promise<void> {
  await haproxy(proxy, ['-c', '-f', filesOf(proxy.folder).config], signal)
}

/** Whether HAProxy was started here once and runs no more: it was killed, or the machine was restarted. */
export async function isDead(proxy: Proxy, signal: AbortSignal): Promise<boolean> {
  return existsSync(filesOf(proxy.folder).pid) && !(await isRunning(proxy, signal))
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

/** New connections go to the new process, old ones end in the old one. Resolves when the new process is there. */
export async function reload({ folder, http }: Proxy, signal: AbortSignal): Promise<void> {
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
    message: 'HAProxy did not take its new configuration: the process of before goes on serving',
    suggestion: `see that ${http} (haproxy.http in fleet.yaml) can be listened on`,
  })
}

/** Starts HAProxy in the background, with a master process that hands its listeners on. */
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
    throw refusal(error, proxy)
  }
}

/** Of the configuration only the address comes from a user: a fault of it names its key, everything else is told in HAProxy's words. */
function refusal(error: CommandError, { http }: Proxy): Problem {
  const { startFailure, errorOutput } = error.facts
  if (startFailure !== undefined) {
    return new Problem({
      type: 'runtime',
      code: 'not_possible_here',
      message: error.message,
      suggestion: 'install HAProxy, or name it in fleet.yaml: haproxy.program',
    })
  }
  const alerts = errorOutput.split('\n').filter((line) => /ALERT|error/i.test(line))
  const said = (alerts[0] ?? error.message).replace(/^\[ALERT\]\s+\(\d+\) : (config : )?/, '')
  const why = bindFault.exec(said)?.[1]
  return new Problem({
    type: 'runtime',
    code: 'bad_value',
    message:
      why === undefined
        ? `HAProxy refuses: ${said}`
        : `HAProxy can't listen on ${http} (haproxy.http in fleet.yaml): ${why}`,
    suggestion:
      why === undefined
        ? 'see what fleet.yaml says under haproxy'
        : 'name an address and port that are free, like 127.0.0.1:8080 or *:80',
    details: alerts.slice(0, 10),
  })
}

/** `parsing [FILE:9] : 'bind' : invalid port`, `Binding [FILE:9] for frontend fleet: cannot bind socket` */
const bindFault = /^(?:parsing \[[^\]]*\] : 'bind[^']*'[^:]*|Binding \[[^\]]*\][^:]*): (.*)$/

function unusable(folder: string): Problem {
  return new Problem({
    type: 'configuration',
    code: 'declaration_error',
    message: `HAProxy's folder has a name that its configuration can't hold: ${folder}`,
    suggestion: 'name another one in fleet.yaml: haproxy.folder',
  })
}
