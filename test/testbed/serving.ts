/** `tend serve` as a user has it: the real program in a scratch folder, asked over HTTP and by its own verbs. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { spawn, type ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AppStatus } from '#model/service.ts'
import { freePort } from './port.ts'
import { tendProgram } from './program.ts'
import type { Told } from './tend.ts'

export type Serving = {
  readonly folder: string
  readonly home: string
  readonly url: string
  /** All that any start of it wrote. */
  log(): string
  /** Ends when it listens. */
  start(words?: readonly string[], more?: Readonly<Record<string, string>>): Promise<void>
  /** By SIGTERM; gives the exit code. */
  stop(): Promise<number | null>
  kill(): Promise<void>
  signal(name: NodeJS.Signals): void
  /** Of the process that was started last. */
  pid(): number
  /** Runs a verb beside it. */
  tend(line: string, environment?: Readonly<Record<string, string>>): Promise<Told>
  /** Writes tend.yaml, with the port in it. */
  declare(yaml: string): void
  api(path: string, options?: RequestInit): Promise<Response>
  /** Waits until an application is as it should be. */
  until(key: string, isSo: (app: AppStatus) => boolean): Promise<AppStatus>
  remove(): Promise<void>
}

const longest = 60_000

type Environment = Readonly<Record<string, string | undefined>>

/** `program`: that of the run, unless told. `host`: where it listens. */
export async function servingOn(
  surroundings: Environment | ((port: number) => Environment),
  program = tendProgram(),
  ownHome?: string,
  host = '127.0.0.1',
): Promise<Serving> {
  const folder = mkdtempSync(join(tmpdir(), 'tend-serve-'))
  const home = ownHome ?? join(folder, 'home')
  const port = await freePort()
  const url = `http://${host}:${port}`
  const environment = typeof surroundings === 'function' ? surroundings(port) : surroundings
  const launcher = resolve(program)
  let child: ChildProcess | undefined
  let written = ''

  function run(
    words: readonly string[],
    more: Readonly<Record<string, string>> = {},
  ): ChildProcess {
    const env = { ...process.env, ...environment, TEND_HOME: home, ...more }
    return spawn(launcher, words, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  }

  async function start(
    words: readonly string[] = [],
    more: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const began = run(['serve', ...words], more)
    child = began
    const from = written.length
    for (const stream of [began.stdout, began.stderr]) {
      stream?.setEncoding('utf8').on('data', (part: string) => (written += part))
    }
    await waitFor(() => {
      if (began.exitCode !== null) throw new Error(`it ended:\n${written}`)
      return written.slice(from).includes('Tend serves on')
    })
  }

  async function ended(name: NodeJS.Signals): Promise<number | null> {
    const going = child
    if (going === undefined || going.exitCode !== null || going.signalCode !== null) return null
    const end = new Promise<number | null>((done) => going.on('close', (code) => done(code)))
    going.kill(name)
    return end
  }

  /** As the verbs do: with the token that this user finds in its home. */
  async function api(path: string, options: RequestInit = {}): Promise<Response> {
    const token = readFileSync(join(home, 'local-token'), 'utf8').trim()
    const headers = { authorization: `Bearer ${token}` }
    return fetch(`${url}${path}`, { signal: AbortSignal.timeout(longest), headers, ...options })
  }

  async function until(key: string, isSo: (app: AppStatus) => boolean): Promise<AppStatus> {
    let last: AppStatus | undefined
    await waitFor(async () => {
      const all: readonly AppStatus[] = JSON.parse(await (await api('/api/v1/apps')).text())
      last = all.find((one) => one.key === key)
      return last !== undefined && isSo(last)
    }).catch(() => {
      throw new Error(`${key} did not come to it: ${JSON.stringify(last)}\n${written}`)
    })
    return last!
  }

  return {
    folder,
    home,
    url,
    log: () => written,
    start,
    stop: () => ended('SIGTERM'),
    kill: async () => void (await ended('SIGKILL')),
    signal: (name) => void child?.kill(name),
    pid: () => child?.pid ?? 0,
    tend(line, more) {
      const going = run(line.split(' '), more)
      const texts = { out: '', err: '' }
      going.stdout?.setEncoding('utf8').on('data', (part: string) => (texts.out += part))
      going.stderr?.setEncoding('utf8').on('data', (part: string) => (texts.err += part))
      return new Promise((done) => going.on('close', (code) => done({ code, ...texts })))
    },
    declare: (yaml) => writeFileSync(join(folder, 'tend.yaml'), `listen: ${host}:${port}\n${yaml}`),
    api,
    until,
    async remove() {
      await ended('SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Asks again and again, up to a minute unless said. */
export async function waitFor(
  isSo: () => boolean | Promise<boolean>,
  atMost = longest,
): Promise<void> {
  for (let waited = 0; waited < atMost; waited += 50) {
    if (await isSo()) return
    await sleep(50)
  }
  throw new Error(`it did not happen within ${atMost / 1000} s`)
}
