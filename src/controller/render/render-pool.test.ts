/** The pool with real processes: what it renders, what it ends and how, and that nothing of it stays. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { denyAll } from '#model/policy.ts'
import { Problem } from '#model/problem.ts'
import { renderPool, type PoolOptions, type RenderPool } from './render-pool.ts'
import type { ChartRequest } from '#kinds/charts/chart-request.ts'
import { unchanged } from '#model/unchanged.ts'

const folder = mkdtempSync(join(tmpdir(), 'tend-pool-'))
after(() => rmSync(folder, { recursive: true }))

function chart(name: string, files: Readonly<Record<string, string>>): ChartRequest {
  const home = join(folder, name)
  for (const [file, text] of Object.entries({ 'Chart.yaml': about, ...files })) {
    mkdirSync(dirname(join(home, file)), { recursive: true })
    writeFileSync(join(home, file), text)
  }
  return {
    files: { folder: home, revision: 'r1', root: name, omitted: [] },
    application: { kind: 'chart', namespace: null, name },
    path: '',
    values: {},
    security: denyAll,
    since: 0,
    seed: new Uint8Array(32),
    ageKeys: [],
  }
}

const about = 'name: web\nversion: 1.0.0\n'
const container = (name: string): string => `apiVersion: v1
kind: CuteContainer
metadata: { name: ${name} }
spec: { image: nginx, env: [{ name: A, value: b }] }
`
const good = chart('good', { 'templates/web.yaml': container('web') })
const many = chart('many', {
  'templates/all.yaml': Array.from({ length: 200 }, (_, i) => container(`c${i}`)).join('---\n'),
})
const endless = chart('endless', {
  'templates/a.yaml': '{{ range until 1600000 }}{{ end }}'.repeat(3),
})

async function withPool(
  options: PoolOptions,
  work: (pool: RenderPool) => Promise<void>,
): Promise<void> {
  const pool = renderPool({ processes: 1, ...options })
  try {
    await work(pool)
  } finally {
    pool.stop()
  }
}

async function refusal(asked: Promise<unknown>): Promise<Problem> {
  const thrown = await asked.then(
    () => undefined,
    (problem: unknown) => problem,
  )
  assert.ok(thrown instanceof Problem, String(thrown))
  return thrown
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

async function untilGone(pids: readonly number[]): Promise<void> {
  while (pids.some(isAlive)) await sleep(20)
}

test('a chart is rendered as plain data, in a process that knows nothing of the service', () =>
  withPool({}, async (pool) => {
    process.env['TEND_TOKEN'] = 'not for templates'
    assert.deepEqual(pool.pids(), [])
    const answer = await pool.for('a').run('render', good)
    delete process.env['TEND_TOKEN']
    assert.ok(answer !== unchanged)
    assert.deepEqual(answer.problems, [])
    assert.deepEqual(
      answer.resources.map(({ ref }) => ref),
      ['container/web'],
    )
    assert.match(answer.read, /^file \w{20} "Chart.yaml"$/m)
    const [pid] = pool.pids()
    const environment = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0')
    const names = environment.map((one) => one.split('=')[0]).filter((name) => name !== '')
    assert.deepEqual(
      names.filter((name) => !['MALLOC_ARENA_MAX', 'NODE_COMPILE_CACHE'].includes(name ?? '')),
      [],
    )
    assert.equal(readFileSync(`/proc/${pid}/oom_score_adj`, 'latin1').trim(), '900')
  }))

test('what an earlier render read is compared in the process too', () =>
  withPool({}, async (pool) => {
    const renders = pool.for('a')
    const first = await renders.run('render', good)
    assert.ok(first !== unchanged)
    assert.equal(await renders.run('render', { ...good, known: first.read }), unchanged)
    const other = await renders.run('render', { ...many, known: first.read })
    assert.ok(other !== unchanged && other.resources.length === 200)
  }))

test('a render that takes too long is ended, says so, and the process is replaced', () =>
  withPool({ limits: { timeout: 400 } }, async (pool) => {
    const renders = pool.for('a')
    await renders.run('render', good, { timeout: 30_000 })
    const before = pool.pids()
    const problem = await refusal(renders.run('render', endless))
    assert.equal(problem.type, 'configuration')
    assert.equal(problem.code, 'timed_out')
    assert.match(problem.message, /took longer than 0.4 s and was ended/)
    await untilGone(before)
    const answer = await renders.run('render', good, { timeout: 30_000 })
    assert.ok(answer !== unchanged && answer.resources.length === 1)
    assert.notDeepEqual(pool.pids(), before)
  }))

test('a render that needs too much memory is ended; Buffers and texts count', () =>
  withPool({}, async (pool) => {
    const large = chart('large', {
      'templates/a.yaml': '{{ range until 1600000 }}{{ end }}'.repeat(2),
    })
    const limits = { memory: 130 * 1024 ** 2 }
    const problem = await refusal(pool.for('a').run('render', large, limits))
    assert.equal(problem.code, 'too_large')
    assert.match(problem.message, /needed more than 130 MB of memory and was ended/)
  }))

test('an answer that is too large never comes whole', () =>
  withPool({}, async (pool) => {
    const renders = pool.for('a')
    const bytes = await refusal(renders.run('render', many, { answerBytes: 10_000 }))
    assert.match(bytes.message, /larger than 0 MB/)
    const count = await refusal(renders.run('render', many, { resources: 100 }))
    assert.match(count.message, /more than 100 resources/)
    const answer = await renders.run('render', many)
    assert.ok(answer !== unchanged && answer.resources.length === 200)
  }))

test('while one source holds all processes another is served at once', () =>
  withPool({}, async (pool) => {
    const order: string[] = []
    const slow = Array.from({ length: 3 }, () =>
      refusal(pool.for('slow').run('render', endless, { timeout: 300 })).then(() => {
        order.push('slow')
      }),
    )
    await pool.for('quick').run('render', good)
    order.push('quick')
    await Promise.all(slow)
    assert.equal(order.at(-1), 'slow')
    assert.ok(order.indexOf('quick') < 2, order.join(' '))
  }))

test('a stop ends what goes on and refuses what waits, and no process stays', async () => {
  const pool = renderPool({ processes: 1 })
  const asked = [endless, endless, good].map((one) => refusal(pool.for('a').run('render', one)))
  while (pool.pids().length === 0) await sleep(10)
  const pids = pool.pids()
  pool.stop()
  for (const problem of await Promise.all(asked)) assert.equal(problem.code, 'interrupted')
  await untilGone(pids)
  assert.equal((await refusal(pool.for('a').run('render', good))).code, 'interrupted')
})

test('a process without work is ended after a while', () =>
  withPool({ idle: 50 }, async (pool) => {
    await pool.for('a').run('render', good)
    const pids = pool.pids()
    assert.equal(pids.length, 1)
    await untilGone(pids)
    assert.deepEqual(pool.pids(), [])
  }))

test('what a task throws comes back as the problem that it is', () =>
  withPool({}, async (pool) => {
    const files = { ...good.files, folder: join(folder, 'nowhere') }
    const problem = await refusal(pool.for('a').run('render', { ...good, files }))
    assert.match(problem.message, /there is no folder/)
  }))

test('another program than this one may render', async () => {
  const [program, mark] = [join(folder, 'other.mjs'), join(folder, 'mark')]
  const main = resolve('src/main.ts')
  writeFileSync(
    program,
    `import { writeFileSync } from 'node:fs'\nwriteFileSync('${mark}', '')\nawait import('${main}')\n`,
  )
  await withPool({ program }, async (pool) => {
    await pool.for('a').run('render', good)
    assert.ok(existsSync(mark))
  })
})
