/** Three replicas with many applications of the toy kind, on hosts of a hundred each: synced, then left alone for a minute. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { numberIn, type Database } from '#store/database.ts'
import { openPostgres } from '#store/postgres.ts'
import { gitBench } from '../../test/testbed/git.ts'
import { startPostgres } from '../../test/testbed/postgres.ts'
import { servingOn, waitFor, type Serving } from '../../test/testbed/serving.ts'
import { withFilesKind } from '../../test/testbed/with-files-kind.ts'
import { cpuOf, memoryOf } from '../service/processes.ts'
import { nameOf } from './names.ts'

export type Measured = {
  readonly size: number
  /** Until all are synced. */
  readonly seconds: number
  /** ms, of all replicas and their children, until all are synced. */
  readonly cpu: number
  readonly databaseCpu: number
  /** Bytes of all replicas, at the end of a minute at rest; of none, before anything is declared. */
  readonly memory: number
  readonly empty: number
  /** Until all are synced. */
  readonly syncTransactions: number
  /** Per minute, at rest. */
  readonly transactions: number
  /** % of a processor, of all replicas, at rest. */
  readonly restCpu: number
  readonly load: number
}

export type ScaleWorld = {
  readonly folder: string
  measure(): Promise<Measured>
  close(): Promise<void>
}

/** As Docker answers here: a list or a change of one container takes so long, ms. */
const latency = '5'
const onHost = 100
const rest = 60_000

export async function openReplicas(size: number): Promise<ScaleWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'tend-scale-'))
  const key = join(folder, 'key')
  writeFileSync(key, randomBytes(32), { mode: 0o600 })
  const [product, git, postgres] = [withFilesKind(), gitBench(), await startPostgres()]
  const program = product.build()
  const address = postgres.database()
  const database = await openPostgres(address)
  const environment = { TEND_DATABASE: address, TEND_KEY_FILE: key, TEND_FILES_LATENCY: latency }
  const all: readonly Serving[] = await Promise.all(
    [1, 2, 3].map(() => servingOn(environment, program)),
  )
  const names = Array.from({ length: size }, (_, index) => nameOf(index))
  writeRepository(git.work, names)
  git.git('add', '-A')
  git.commit('all', { 'read.me': `${size}` })

  function declare(some: readonly string[]): void {
    const apps = some.map((name, index) => {
      const host = join(folder, `host-${Math.floor(index / onHost)}`)
      return `  - { fileset: ${name}, path: ${name}, target: "${host}" }`
    })
    for (const each of all) {
      each.declare(`
concurrency: 30
sources: { infra: { git: "file://${git.bare}", ref: main } }
defaults: { interval: 1m }
apps:${apps.length === 0 ? ' []' : `\n${apps.join('\n')}`}
`)
    }
  }

  async function untilSynced(): Promise<void> {
    await waitFor(async () => {
      // metrics have a line for each application: asked for all the time, they would be what is measured
      await setTimeout(1_000)
      const counts = await Promise.all(all.map(syncedOf))
      return counts.reduce((sum, count) => sum + count, 0) >= size
    }, 60 * 60_000)
  }

  async function measure(): Promise<Measured> {
    declare([])
    for (const each of all) await each.start()
    const empty = memoryIn(all)
    const [cpuBefore, databaseBefore] = [cpuIn(all), cpuBelow(postgres.pid())]
    const commitsBefore = await commits(database)
    declare(names)
    const began = performance.now()
    for (const each of all) each.signal('SIGHUP')
    await untilSynced()
    const seconds = (performance.now() - began) / 1000
    const [cpu, load] = [cpuIn(all) - cpuBefore, loadavg()[0] ?? 0]
    const databaseCpu = cpuBelow(postgres.pid()) - databaseBefore
    const syncTransactions = (await commits(database)) - commitsBefore
    // what follows the last runs is over
    await setTimeout(rest / 2)
    const [committed, idle] = [await commits(database), cpuIn(all)]
    await setTimeout(rest)
    const transactions = (await commits(database)) - committed
    const restCpu = ((cpuIn(all) - idle) / rest) * 100
    const memory = memoryIn(all)
    const rested = { memory, empty, transactions, restCpu }
    return { size, seconds, cpu, databaseCpu, syncTransactions, load, ...rested }
  }

  return {
    folder,
    measure,
    async close() {
      await Promise.all(all.map((each) => each.remove()))
      await database.close()
      await postgres.close()
      git.remove()
      product.remove()
    },
  }
}

function writeRepository(work: string, names: readonly string[]): void {
  for (const name of names) {
    mkdirSync(join(work, name))
    writeFileSync(join(work, name, `${name}.json`), JSON.stringify({ name }))
    writeFileSync(join(work, name, `${name}-more.after-${name}.json`), '1')
  }
}

/** None while it stands by, as a replica does that a busy machine kept from saying that it lives. */
async function syncedOf(serving: Serving): Promise<number> {
  const answer = await serving.api('/metrics').catch(() => undefined)
  const text = (await answer?.text()) ?? ''
  return Number(/^tend_apps\{state="synced"\} (\d+)$/m.exec(text)?.[1] ?? 0)
}

function cpuIn(all: readonly Serving[]): number {
  return all.reduce((sum, each) => sum + cpuOf(each.pid()) + cpuBelow(each.pid()), 0)
}

function memoryIn(all: readonly Serving[]): number {
  return all.reduce((sum, each) => sum + memoryOf(each.pid()), 0)
}

/** Of the children that live; those that ended are with their parent. */
function cpuBelow(parent: number): number {
  let sum = 0
  for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
    try {
      const text = readFileSync(`/proc/${name}/stat`, 'utf8')
      const [, ppid] = text.slice(text.lastIndexOf(')') + 2).split(' ')
      if (Number(ppid) === parent) sum += cpuOf(Number(name))
    } catch {
      // it ended meanwhile, and counts with its parent
    }
  }
  return sum
}

/** Those of this connection are one each time. */
async function commits(database: Database): Promise<number> {
  await setTimeout(1_500)
  const sql = 'select xact_commit from pg_stat_database where datname = current_database()'
  const [row] = await database.rows(sql)
  return row === undefined ? 0 : numberIn(row, 'xact_commit')
}
