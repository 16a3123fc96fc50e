/** A fleet to test with: the command line on a database of its own, a k3d that stands in, and API servers that answer for it. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach } from 'node:test'
import { makeCertificates } from './docker-certificates.ts'
import { tendProgram } from './program.ts'
import { tendOn, type Going, type Told } from './tend.ts'

export type FleetBench = {
  readonly folder: string
  readonly database: string
  /** `fleet reconcile …` without the word fleet. */
  readonly fleet: (line: string, environment?: Record<string, string>) => Promise<Told>
  readonly start: (line: string, environment?: Record<string, string>) => Going
  /** The whole line, without the word fleet before it. */
  readonly tend: (line: string, environment?: Record<string, string>) => Going
  readonly write: (files: Readonly<Record<string, string>>) => void
  /** Straight into the table, as another program would. */
  readonly sql: (text: string) => readonly Record<string, unknown>[]
  /** Names of the clusters that stand. */
  readonly standing: () => readonly string[]
  readonly stopCluster: (name: string) => void
  readonly dropCluster: (name: string) => void
  /** As somebody makes one who has never heard of Tend; with the ports of its row unless others are said. */
  readonly makeCluster: (name: string, ports?: readonly string[]) => void
  /** As `docker rm -f k3d-NAME-server-0` does, or `k3d-NAME-serverlb`. */
  readonly removeNode: (name: string, role: 'server' | 'loadbalancer') => void
  /** As `docker stop k3d-NAME-agent-0` does. */
  readonly stopAgents: (name: string) => void
  /** So many calls of this kind fail from now on: create, half, delete, list (which then leaves this one out). */
  readonly fail: (verb: string, name: string, times: number) => void
  readonly breakProvider: (isBroken: boolean) => void
  /** Calls of k3d since the last time. */
  readonly calls: () => readonly string[]
  /** What a cluster's API answers to /readyz; 200 unless said. */
  readonly answer: (name: string, status: number) => void
  readonly close: () => Promise<void>
}

/** For a test file: opens a bench with a row of k3d for each name, and closes it when the test that opened it ends. */
export function fleetOpener(): (...names: readonly string[]) => Promise<FleetBench> {
  const open: FleetBench[] = []
  afterEach(async () => {
    for (const bench of open.splice(0)) await bench.close()
  })
  return async (...names) => {
    const made = await fleetBench()
    open.push(made)
    for (const line of ['init', ...names.map((name) => `add ${name} --provider k3d`)]) {
      const told = await made.fleet(line)
      assert.equal(told.code, 0, told.err)
    }
    return made
  }
}

export async function fleetBench(launcher = tendProgram()): Promise<FleetBench> {
  const { folder, tend, start, write, remove } = tendOn('/nonexistent', launcher)
  const state = join(folder, 'k3d')
  const programs = join(folder, 'bin')
  const clusters = join(state, 'clusters')
  for (const path of [clusters, programs]) mkdirSync(path, { recursive: true })
  const program = resolve('test/testbed/k3d-stand-in.ts')
  const script = `#!/bin/sh\nexec ${process.execPath} ${program} "$@"\n`
  writeFileSync(join(programs, 'k3d'), script, { mode: 0o755 })
  const fileOf = (name: string): string => join(clusters, `${name}.json`)

  const statuses = new Map<string, number>()
  const { server: folderOfServer } = makeCertificates(join(folder, 'tls'))
  const pem = (name: string): string => readFileSync(join(folderOfServer, `${name}.pem`), 'utf8')
  const api = createServer({ cert: pem('cert'), key: pem('key') }, (request, response) => {
    const [, name = '', what] = (request.url ?? '').split('/')
    if (what !== 'readyz' || !existsSync(fileOf(name))) return response.writeHead(404).end()
    const { isRunning, removed } = JSON.parse(readFileSync(fileOf(name), 'utf8'))
    if (!isRunning || removed !== undefined) return request.socket.destroy()
    return response.writeHead(statuses.get(name) ?? 200).end('ok')
  })
  await new Promise<void>((done) => api.listen(0, '127.0.0.1', done))
  const address = api.address()
  const port = typeof address === 'object' ? address?.port : 0
  const ca = Buffer.from(pem('ca')).toString('base64')
  writeFileSync(
    join(state, 'api.json'),
    JSON.stringify({ server: `https://127.0.0.1:${port}`, ca }),
  )

  const database = join(folder, 'fleet.db')
  const own = {
    PATH: `${programs}:${process.env['PATH']}`,
    K3D_STAND_IN: state,
    TEND_FLEET_DB: database,
  }
  let read = 0
  return {
    folder,
    database,
    fleet: (line, environment = {}) => tend(`fleet ${line}`, { ...own, ...environment }),
    start: (line, environment = {}) => start(`fleet ${line}`, { ...own, ...environment }),
    tend: (line, environment = {}) => start(line, { ...own, ...environment }),
    write,
    sql(text) {
      const connection = new DatabaseSync(database, { timeout: 5000 })
      try {
        return connection.prepare(text).all()
      } finally {
        connection.close()
      }
    },
    standing: () =>
      execFileSync('ls', [clusters], { encoding: 'utf8' })
        .split('\n')
        .filter((name) => name.endsWith('.json'))
        .map((name) => name.slice(0, -5)),
    stopCluster(name) {
      const kept = JSON.parse(readFileSync(fileOf(name), 'utf8'))
      writeFileSync(fileOf(name), JSON.stringify({ ...kept, isRunning: false }))
    },
    dropCluster: (name) => rmSync(fileOf(name)),
    makeCluster(name, ports = portsOfRow(database, name)) {
      const config = { ports: ports.map((port) => ({ port })) }
      const own = { created: new Date().toISOString(), token: randomUUID() }
      writeFileSync(fileOf(name), JSON.stringify({ name, config, isRunning: true, ...own }))
    },
    removeNode(name, role) {
      const kept = JSON.parse(readFileSync(fileOf(name), 'utf8'))
      writeFileSync(fileOf(name), JSON.stringify({ ...kept, removed: [role] }))
    },
    stopAgents(name) {
      const kept = JSON.parse(readFileSync(fileOf(name), 'utf8'))
      writeFileSync(fileOf(name), JSON.stringify({ ...kept, areAgentsDown: true }))
    },
    fail: (verb, name, times) => writeFileSync(join(state, `fail-${verb}-${name}`), String(times)),
    breakProvider(isBroken) {
      if (isBroken) writeFileSync(join(state, 'broken'), '')
      else rmSync(join(state, 'broken'), { force: true })
    },
    calls() {
      const file = join(state, 'calls')
      const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []
      const fresh = lines.slice(read)
      read = lines.length
      return fresh
    },
    answer: (name, status) => void statuses.set(name, status),
    async close() {
      api.closeAllConnections()
      await new Promise((done) => api.close(done))
      remove()
    },
  }
}

function portsOfRow(database: string, name: string): readonly string[] {
  const connection = new DatabaseSync(database, { timeout: 5000 })
  try {
    const sql = 'select http_port, https_port from clusters where name = ?'
    const row = connection.prepare(sql).get(name)
    if (row === undefined) return []
    const [http, https] = [Number(row['http_port']), Number(row['https_port'])]
    return [`127.0.0.1:${http}:80`, `127.0.0.1:${https}:443`]
  } finally {
    connection.close()
  }
}

/** The array behind RECONCILE_SUMMARY=, by name. */
export function summaryIn(out: string): ReadonlyMap<string, Record<string, unknown>> {
  const line = /^RECONCILE_SUMMARY=(.*)$/m.exec(out)?.[1]
  if (line === undefined) throw new Error(`no summary in: ${out}`)
  const items: readonly Record<string, unknown>[] = JSON.parse(line)
  return new Map(items.map((item) => [String(item['name']), item]))
}
