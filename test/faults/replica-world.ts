/** Three replicas of the real program on one PostgreSQL, each with a line to it, a clock and a disk that tests can harm. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { AppStatus } from '#model/service.ts'
import type { Database } from '#store/database.ts'
import { migrate } from '#store/migrations.ts'
import { openPostgres } from '#store/postgres.ts'
import { gitBench } from '../testbed/git.ts'
import { hasNetworks, openNetwork, type NetworkMember } from '../testbed/network.ts'
import { startLine, type Line } from '../testbed/partition.ts'
import { startPostgres, type Postgres } from '../testbed/postgres.ts'
import { servingOn, waitFor, type Serving } from '../testbed/serving.ts'
import { withFilesKind } from '../testbed/with-files-kind.ts'
import { openEngineStacks } from './engine-stacks.ts'
import { faultsIn } from './history.ts'
import { keepHistory, readHistory } from './keep-history.ts'

export type Replica = {
  readonly name: string
  readonly line: Line
  /** `ahead`: ms by which its clock is ahead of the others'. */
  start(ahead?: number): Promise<void>
  stop(): Promise<void>
  kill(): Promise<void>
  signal(name: NodeJS.Signals): void
  /** Not one byte more goes on its disk until the function is called. Undefined where it has no disk of its own. */
  readonly fillDisk: (() => () => void) | undefined
  /** Its wire in a network of namespaces. Undefined where there are none. */
  readonly cable: Pick<NetworkMember, 'cut' | 'mend'> | undefined
  log(): string
}

export type ReplicaWorld = {
  readonly postgres: Postgres
  readonly replicas: readonly Replica[]
  /** A declaration that differs from the one before in every application. Rounds begin at 1. */
  declare(round: number): Promise<void>
  /** Resolves when a run of what was declared last has begun. */
  begins(): Promise<void>
  /** All that is there: files by their names, containers by their ids. */
  seen(): Promise<unknown>
  /** Resolves when every replica says that all is synced, and it is; throws what is wrong then. */
  converge(round: number): Promise<void>
  /** Each answers that it can't know, as it has no database. */
  untilAllRefuse(): Promise<void>
  close(): Promise<void>
}

const folders = ['a', 'b', 'c', 'd', 'e', 'f']
const strangers = { 'stranger.txt': 'not ours', 'a-mine.txt': 'not ours either' }
/** How long a call of the kind takes, ms: so that faults come in the middle of runs. */
const latency = '60'
/** After the harm is over everything is as declared within so long, ms. */
const patience = 120_000

/** `engines`: how many of Docker, Docker and Podman run stacks beside the folders of files. */
export async function openReplicaWorld(engines: number): Promise<ReplicaWorld> {
  const root = mkdtempSync(join(tmpdir(), 'tend-replicas-'))
  const place = join(root, 'kept')
  mkdirSync(place)
  for (const [name, text] of Object.entries(strangers)) writeFileSync(join(place, name), text)
  const key = join(root, 'key')
  writeFileSync(key, randomBytes(32), { mode: 0o600 })
  const product = withFilesKind()
  const stacks = await openEngineStacks(engines)
  const apps = [...folders, ...stacks.names]
  const network = hasNetworks() ? await openNetwork() : undefined
  const git = gitBench()
  const postgres = await startPostgres()
  const address = postgres.database()
  const database = await openPostgres(address)
  await migrate(database, address)
  await keepHistory(database)
  const deaths: number[] = []
  let token = ''
  let before = 0
  let times = 0

  async function begun(): Promise<number> {
    return (await readHistory(database)).filter(({ of }) => of === 'begin').length
  }

  async function opened(name: string): Promise<Replica & { readonly serving: Serving }> {
    const cable = await network?.join()
    const gateway = network?.gateway ?? '127.0.0.1'
    const line = await startLine(postgres.port, gateway)
    const through = address.replace(`127.0.0.1:${postgres.port}/`, `${gateway}:${line.port}/`)
    assert.notEqual(through, address)
    const home = join(root, `home-${name}`)
    mkdirSync(home)
    const hasDisk =
      spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', home]).status === 0
    const serving = await servingOn(
      { TEND_DATABASE: through, TEND_KEY_FILE: key, TEND_FILES_LATENCY: latency },
      cable === undefined ? product.program : cable.program(product.program),
      home,
      cable?.address,
    )
    serving.declare(`
sources: { infra: { git: "file://${git.bare}", ref: main } }
defaults: { interval: 1s }
apps:
${folders.map((app) => `  - { fileset: ${app}, path: ${app}, target: "${place}" }`).join('\n')}
${stacks.declared.join('\n')}
`)
    return {
      name,
      line,
      cable,
      serving,
      start: (ahead = 0) => serving.start([], ahead === 0 ? {} : shifted(ahead)),
      stop: async () => void (await serving.stop()),
      async kill() {
        await serving.kill()
        deaths.push(Date.now())
      },
      signal: (word) => serving.signal(word),
      fillDisk: hasDisk ? () => filled(join(home, 'filler')) : undefined,
      log: () => serving.log(),
    }
  }

  const replicas = [await opened('one'), await opened('two'), await opened('three')]
  // beyond loopback nothing is served without a token
  await known(replicas[0]!.serving)

  function filesAt(round: number): Readonly<Record<string, string>> {
    return Object.fromEntries(
      folders.flatMap((app) => [
        [`${app}-one.json`, String(round)],
        [`${app}-two.after-${app}-one.json`, String(round * 2)],
        [`${app}-only-${round}.txt`, 'only now'],
      ]),
    )
  }

  function kept(): Readonly<Record<string, string>> {
    const names = readdirSync(place).filter((name) => !name.startsWith('.'))
    return Object.fromEntries(
      names.toSorted().map((name) => [name, readFileSync(join(place, name), 'utf8')]),
    )
  }

  async function statuses({ serving }: (typeof replicas)[number]): Promise<readonly AppStatus[]> {
    const headers = { authorization: `Bearer ${await known(serving)}` }
    const signal = AbortSignal.timeout(10_000)
    const answer = await fetch(`${serving.url}/api/v1/apps`, { headers, signal })
    return answer.status === 200 ? JSON.parse(await answer.text()) : []
  }

  async function known(serving: Serving): Promise<string> {
    if (token !== '') return token
    const made = await serving.tend('token create --role admin -o json')
    assert.equal(made.code, 0, made.err)
    token = JSON.parse(made.out).token
    return token
  }

  async function isAt(round: number): Promise<boolean> {
    for (const replica of replicas) {
      const found = await statuses(replica).catch(() => [])
      const isWhole = apps.every((app) => {
        const status = found.find(({ application }) => application.name === app)
        return status?.state === 'synced' && status.synced?.message === messageOf(round)
      })
      if (!isWhole) return false
    }
    return true
  }

  return {
    postgres,
    replicas,
    async declare(round) {
      // it may be away
      before = await begun().catch(() => before)
      const files: Record<string, string | null> = {}
      for (const app of folders) files[`${app}/${app}-only-${round - 1}.txt`] = null
      for (const [name, text] of Object.entries(filesAt(round))) files[`${name[0]}/${name}`] = text
      Object.assign(files, stacks.filesAt(round))
      git.commit(messageOf(round), round === 1 ? withoutRemovals(files) : files)
    },
    begins: () => waitFor(async () => (await begun()) > before, patience),
    seen: async () => ({ kept: kept(), containers: await stacks.seen() }),
    async converge(round) {
      await waitFor(() => isAt(round), patience).catch((thrown: unknown) => {
        const logs = replicas.map((one) => `${one.name}:\n${one.log().slice(-3_000)}`)
        throw new Error(`round ${round}: ${String(thrown)}\n${logs.join('\n')}`)
      })
      assert.deepEqual(kept(), sorted({ ...filesAt(round), ...strangers }))
      const history = await readHistory(database)
      // a history that nobody keeps has no faults
      times += 1
      for (const app of apps) {
        const ends = history.filter(({ of, key }) => of === 'end' && key.endsWith(`:${app}`))
        assert.ok(
          ends.length >= times,
          `of ${times} rounds ${ends.length} runs of ${app} were kept`,
        )
      }
      assert.deepEqual(faultsIn(history, deaths), [])
      await stacks.check(round, history)
    },
    async untilAllRefuse() {
      for (const { serving } of replicas) {
        await waitFor(async () => {
          const answer = await fetch(`${serving.url}/api/v1/apps`).catch(() => undefined)
          return answer?.status === 503
        })
      }
    },
    async close() {
      for (const { serving, line } of replicas) {
        serving.signal('SIGCONT')
        await serving.kill()
        await line.stop()
        if (existsSync(serving.home)) spawnSync('umount', ['--lazy', serving.home])
        await serving.remove()
      }
      await closeQuietly(database)
      await postgres.close()
      network?.close()
      await stacks.close()
      git.remove()
      product.remove()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

function messageOf(round: number): string {
  return `round ${round}`
}

function shifted(ahead: number): Readonly<Record<string, string>> {
  const module = resolve(import.meta.dirname, '../testbed/shift-clock.ts')
  return { NODE_OPTIONS: `--import=${module}`, TEND_TEST_CLOCK: String(ahead) }
}

function filled(file: string): () => void {
  const descriptor = openSync(file, 'a')
  for (const size of [65_536, 4_096, 512, 1]) {
    try {
      for (;;) writeSync(descriptor, Buffer.alloc(size))
    } catch (thrown) {
      assert.match(String(thrown), /ENOSPC/)
    }
  }
  closeSync(descriptor)
  return () => rmSync(file, { force: true })
}

function withoutRemovals(
  files: Readonly<Record<string, string | null>>,
): Readonly<Record<string, string | null>> {
  return Object.fromEntries(Object.entries(files).filter(([, text]) => text !== null))
}

function sorted(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** It may have been away. */
async function closeQuietly(database: Database): Promise<void> {
  await database.close().catch(() => undefined)
}
