/** HAProxy's map of routes: a file that is whole at any time, and the same in the running process without a reload. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Problem } from '#model/problem.ts'
import { ask } from './runtime.ts'
import { defined } from '#model/defined.ts'

export type Routes = ReadonlyMap<string, string>

export function readRoutes(file: string): Routes {
  try {
    return routesIn(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return new Map()
    throw error
  }
}

/** Writes the file before the process is told: after a reload or a restart only the file counts. */
export function writeRoutes(file: string, routes: Routes): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(
    `${file}.new`,
    linesOf(routes)
      .map((line) => `${line}\n`)
      .join(''),
    { mode: 0o600 },
  )
  renameSync(`${file}.new`, file)
}

/** The routes that the process uses. */
export async function liveRoutes(
  socket: string,
  file: string,
  signal: AbortSignal,
): Promise<Routes> {
  return shownRoutes(await ask(socket, `show map ${file}`, signal))
}

/** The longest command that the process takes, in bytes. */
const room = 8_000

/** Exchanges all routes at once: a request sees the old routes or the new ones, never a mixture. They are read back before they count. */
export async function swapRoutes(
  socket: string,
  file: string,
  routes: Routes,
  signal: AbortSignal,
): Promise<void> {
  const version = /New version created: (\d+)/.exec(
    await ask(socket, `prepare map ${file}`, signal),
  )?.[1]
  if (version === undefined) throw refused(`it does not know the map ${file}`)
  for (const payload of payloadsOf(linesOf(routes))) {
    // an empty line ends it: that of the command itself
    const answer = await ask(socket, `add map @${version} ${file} <<\n${payload}`, signal)
    if (answer.trim() !== '') throw refused(defined(answer.trim().split('\n')[0]))
  }
  const prepared = shownRoutes(await ask(socket, `show map @${version} ${file}`, signal))
  if (!sameRoutes(prepared, routes)) throw refused('it did not take all routes')
  await ask(socket, `commit map @${version} ${file}`, signal)
  if (!sameRoutes(await liveRoutes(socket, file, signal), routes)) {
    throw refused('it does not go by the routes that it was given')
  }
}

function sameRoutes(one: Routes, other: Routes): boolean {
  return one.size === other.size && [...one].every(([host, to]) => other.get(host) === to)
}

function routesIn(text: string): Routes {
  const pairs = text.split('\n').map((line) => /^(\S+)\s+(\S+)$/.exec(line.trim()))
  return new Map(
    pairs.flatMap((pair) => (pair === null ? [] : [[defined(pair[1]), defined(pair[2])]])),
  )
}

/** Each line begins with the address of the entry in memory. */
function shownRoutes(text: string): Routes {
  if (/^(Unknown|Can't|Permission)/m.test(text)) throw refused(defined(text.trim().split('\n')[0]))
  return routesIn(text.replace(/^0x[0-9a-f]+ /gm, ''))
}

function linesOf(routes: Routes): readonly string[] {
  return [...routes].map(([host, to]) => `${host} ${to}`).toSorted()
}

function payloadsOf(lines: readonly string[]): readonly string[] {
  const payloads: string[] = []
  let payload = ''
  for (const line of lines) {
    if (payload.length + line.length > room) {
      payloads.push(payload)
      payload = ''
    }
    payload += `${line}\n`
  }
  return payload === '' ? payloads : [...payloads, payload]
}

function refused(why: string): Problem {
  return new Problem({
    type: 'runtime',
    code: 'api_error',
    message: `HAProxy did not take the routes: ${why}`,
    suggestion:
      'see that it runs with the configuration in its folder; tend fleet bootstrap starts it so',
    recoverable: true,
  })
}
