/** A thousand routes are one swap without a reload, and requests meanwhile all arrive. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { swapRoutes, writeRoutes } from '#clients/haproxy/map.ts'
import * as haproxy from '#clients/haproxy/proxy.ts'
import { backend, endProxy, get } from '../../test/testbed/haproxy.ts'
import { provide } from '../../test/testbed/packages.ts'
import { freePort } from '../../test/testbed/port.ts'
import { milliseconds, type Row } from '../row.ts'

const requests = 10_000
const turns = 100

export async function* swaps(): AsyncIterable<Row> {
  if (!provide('haproxy')) throw new Error('HAProxy is missing')
  const folder = mkdtempSync(join(tmpdir(), 'tend-bench-'))
  const port = await freePort()
  const { signal } = new AbortController()
  const http = `127.0.0.1:${port}`
  const proxy = { program: 'haproxy', environment: process.env, folder, http }
  const { map, socket, pid } = haproxy.filesOf(folder)
  const server = await backend('dev')
  const routes = (turn: number): ReadonlyMap<string, string> =>
    new Map([
      ['dev.fleet.test', `127.0.0.1:${server.port}`],
      ...Array.from({ length: 1000 }, (_, n) => [`c${n}.fleet.test`, `10.0.${turn}.1:80`] as const),
    ])
  try {
    await haproxy.writeConfig(proxy, signal)
    await haproxy.start(proxy, signal)
    while (!(await haproxy.isRunning(proxy, signal))) continue
    const before = readFileSync(pid, 'utf8')
    const agent = new Agent({ keepAlive: true, maxSockets: 4 })
    let sent = 0
    let failed = 0
    const load = Array.from({ length: 4 }, async () => {
      while (sent < requests) {
        sent += 1
        const said = await get(port, 'web.dev.fleet.test', agent).catch(() => undefined)
        if (said?.text !== 'dev') failed += 1
      }
    })
    writeRoutes(map, routes(0))
    await swapRoutes(socket, map, routes(0), signal)
    const began = performance.now()
    // the first requests may have come before the first route
    failed = 0
    for (let turn = 1; turn <= turns; turn += 1) {
      writeRoutes(map, routes(turn))
      await swapRoutes(socket, map, routes(turn), signal)
    }
    const each = (performance.now() - began) / turns
    await Promise.all(load)
    agent.destroy()
    yield {
      name: `requests that failed during ${turns} swaps of 1,001 routes`,
      measured: failed,
      goal: { is: 'at most', than: 0 },
      behind: `${sent} requests, ${milliseconds(each)} a swap`,
    }
    yield {
      name: 'reloads for them',
      measured: readFileSync(pid, 'utf8') === before ? 0 : 1,
      goal: { is: 'at most', than: 0 },
      behind: 'the same process serves',
    }
  } finally {
    await endProxy(folder)
    await server.close()
    rmSync(folder, { recursive: true })
  }
}
