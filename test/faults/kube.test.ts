/** A cluster in trouble: calls refused, lost and slow, watches cut, the server restarted, its database paused, others writing, the process killed. Then it converges. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { driveKube, type KubeDriver } from '../testbed/kube-drive.ts'
import {
  startKubeFaults,
  type KubeCall,
  type KubeFault,
  type KubeFaults,
} from '../testbed/kube-faults.ts'
import { configMap } from '../testbed/kube-texts.ts'
import { requiredKube } from '../testbed/kube-tools.ts'
import { startKube, type TestKube } from '../testbed/kube.ts'
import { kubeFiles, type KubeVersion } from './kube-scene.ts'
import { watchedMemory } from './memory-history.ts'
import { tallyOf } from './tally.ts'

const skip = requiredKube()
const tally = tallyOf('Kubernetes')
const isThorough = process.env['TEND_FAULTS'] === 'all'
/** Longer than any call takes here, short enough that one that hangs does not hold up the sweep, ms. */
const silence = 2_000
let kube: TestKube
let faults: KubeFaults
let plain: KubeDriver
const memory = watchedMemory()

before(async () => {
  if (skip !== false) return
  kube = await startKube({ isBare: true })
  faults = await startKubeFaults(kube)
  plain = driveKube(kube, 'scene', {}, undefined, undefined, memory)
})

after(async () => {
  if (skip !== false) return
  plain.close()
  faults.stop()
  await kube.stop()
})

type Fields = Record<string, unknown>

async function get(path: string): Promise<Fields | undefined> {
  const { status, body } = await kube.ask('GET', path)
  return status === 404 ? undefined : (body as Fields)
}

const inDefault = '/api/v1/namespaces/default'

/** All of a version and nothing of the other. */
async function stands(version: KubeVersion, when: string): Promise<void> {
  const isFirst = version === 'first'
  const other = isFirst ? 'second' : 'first'
  const changed = await get(`${inDefault}/configmaps/scene-changed`)
  assert.equal((changed?.['data'] as Fields | undefined)?.['key'], version, when)
  assert.ok(await get(`${inDefault}/configmaps/scene-${version}`), when)
  assert.equal(await get(`${inDefault}/configmaps/scene-${other}`), undefined, when)
  assert.ok(await get(`${inDefault}/serviceaccounts/scene-${isFirst ? 'old' : 'new'}`), when)
  assert.equal(
    await get(`${inDefault}/serviceaccounts/scene-${isFirst ? 'new' : 'old'}`),
    undefined,
  )
  const part = await get('/apis/example.com/v1/namespaces/scene/parts/part')
  assert.deepEqual(part?.['spec'], { version }, when)
}

/** The same numbers each time. */
function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648
    return state / 2147483648
  }
}

test(
  'whatever happens to calls, the next run converges and has nothing to do after that',
  { skip },
  async () => {
    assert.equal((await plain.up(kubeFiles('first'))).outcome, 'succeeded')
    const kinds: readonly KubeFault[] = [429, 500, 409, 'slow', 'cut-before', 'cut-after']
    const secrets: string[] = []
    for (let seed = 1; seed <= (isThorough ? 20 : 6); seed += 1) {
      tally.tried('a fifth of all calls')
      const random = chance(seed * 7919)
      const version = seed % 2 === 1 ? 'second' : 'first'
      faults.plan(() => (random() < 0.2 ? kinds[Math.floor(random() * kinds.length)]! : 'pass'))
      const own = watchedMemory()
      const troubled = driveKube(kube, 'scene', {}, faults.access, undefined, own)
      const driven = await troubled.up(kubeFiles(version))
      troubled.close()
      secrets.push(driven.text)
      const mended = await plain.up(kubeFiles(version))
      assert.equal(mended.outcome, 'succeeded', `seed ${seed}: ${driven.outcome}: ${mended.text}`)
      await stands(version, `seed ${seed}`)
      assert.deepEqual((await plain.up(kubeFiles(version))).plan?.groups, [], `seed ${seed}`)
      for (const each of [own, memory]) each.check(`seed ${seed}`)
      tally.converged('a fifth of all calls')
    }
    const secret = Buffer.from('very-secret').toString('base64').slice(0, 14)
    for (const text of secrets) assert.ok(!text.includes('very-secret') && !text.includes(secret))
  },
)

test('every call fails in every way in turn, and the next run converges', { skip }, async () => {
  const kinds: readonly KubeFault[] = [500, 'cut-before', 'cut-after', 'garbage', 'hang']
  const stranger = `${inDefault}/configmaps/stranger`
  const made = { metadata: { name: 'stranger' }, data: { key: 'not ours' } }
  await kube.ask('POST', `${inDefault}/configmaps`, made)
  const untouched = await get(stranger)
  assert.ok(untouched)
  async function through(): Promise<string> {
    const own = watchedMemory()
    const troubled = driveKube(kube, 'scene', {}, faults.access, silence, own)
    const { outcome } = await troubled.up(kubeFiles('second'))
    troubled.close()
    own.check(outcome)
    return outcome
  }
  assert.equal((await plain.up(kubeFiles('first'))).outcome, 'succeeded')
  let count = 0
  faults.plan(({ isWatch }) => ((count += isWatch ? 0 : 1), 'pass'))
  assert.equal(await through(), 'succeeded')
  const step = isThorough ? 1 : Math.ceil(count / 5)
  for (let number = Math.ceil(step / 2); number <= count; number += step) {
    for (const fault of isThorough ? kinds : [kinds[number % kinds.length]!]) {
      tally.tried(String(fault))
      assert.equal((await plain.up(kubeFiles('first'))).outcome, 'succeeded')
      let [seen, what] = [0, '']
      faults.plan(({ isWatch, method, path }) => {
        if (isWatch || ++seen !== number) return 'pass'
        what = `${method} ${path.split('?')[0]}`
        return fault
      })
      const outcome = await through()
      const mended = await plain.up(kubeFiles('second'))
      const where = `${fault} at call ${number} of ${count}, ${what}, which ${outcome}`
      assert.equal(mended.outcome, 'succeeded', `${where}: ${mended.text}`)
      await stands('second', where)
      assert.deepEqual(await get(stranger), untouched, where)
      memory.check(where)
      tally.converged(String(fault))
    }
  }
})

test('each single call lost in turn: all new or all old, then it converges', { skip }, async () => {
  assert.equal((await plain.up(kubeFiles('first'))).outcome, 'succeeded')
  const writes = (call: KubeCall) => call.method !== 'GET' && !call.path.includes('dryRun')
  for (let target = 1; target <= (isThorough ? 12 : 4); target += 1) {
    let seen = 0
    tally.tried('cut-after')
    faults.plan((call) => (writes(call) && ++seen === target ? 'cut-after' : 'pass'))
    const version = target % 2 === 1 ? 'second' : 'first'
    const own = watchedMemory()
    const troubled = driveKube(kube, 'scene', {}, faults.access, undefined, own)
    const driven = await troubled.up(kubeFiles(version))
    troubled.close()
    // the answer alone was lost: whoever looks before trying again finds it done
    assert.equal(driven.outcome, 'succeeded', `write ${target}: ${driven.text}`)
    await stands(version, `write ${target}`)
    own.check(`write ${target}`)
    tally.converged('cut-after')
  }
})

const task = (name: string) =>
  `apiVersion: example.com/v1\nkind: Part\nmetadata: { name: ${name}, namespace: default }\n`
const exprs = [{ apiVersion: 'example.com/v1', kind: 'Part', current: "status.phase == 'Done'" }]

function finish(name: string): void {
  const words = ['patch', 'parts.example.com', name, '--subresource=status', '--type=merge']
  kube.kubectl([...words, '-p', '{"status":{"phase":"Done"}}'])
}

async function until(what: string, isSo: () => Promise<boolean> | boolean): Promise<void> {
  for (let waited = 0; waited < 60_000; waited += 50) {
    if (await isSo()) return
    await sleep(50)
  }
  throw new Error(`a minute went by, but not: ${what}`)
}

test(
  'watches that are cut, lines that break and a server that restarts only make it wait',
  { skip },
  async () => {
    await plain.up(kubeFiles('first'))
    faults.plan(() => 'pass')
    const troubled = driveKube(kube, 'waits', { healthCheckExprs: exprs }, faults.access)
    const going = troubled.up({ 'p.yaml': task('waited') })
    const there = async () =>
      (await get('/apis/example.com/v1/namespaces/default/parts/waited')) !== undefined
    await until('it was applied', there)
    for (let times = 0; times < 3; times += 1) {
      const before = faults.calls()
      faults.cutWatches()
      await until('it watches again', () => faults.calls() > before)
    }
    faults.cutAll()
    await kube.stopServer()
    await kube.startServer()
    finish('waited')
    const driven = await going
    troubled.close()
    assert.equal(driven.outcome, 'succeeded', driven.text)
  },
)

test('a database that stands still for a while holds a run up, and no more', { skip }, async () => {
  faults.plan(() => 'pass')
  const troubled = driveKube(kube, 'paused', {}, faults.access)
  const files = Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [`m${n}.yaml`, configMap(`paused-${n}`, 'x')]),
  )
  const going = troubled.up(files)
  await until('it has begun', () => faults.calls() > 30)
  kube.pauseDatabase()
  await sleep(3000)
  kube.resumeDatabase()
  const driven = await going
  troubled.close()
  if (driven.outcome !== 'succeeded') {
    const again = driveKube(kube, 'paused')
    assert.equal((await again.up(files)).outcome, 'succeeded')
    again.close()
  }
  for (const n of [0, 39]) assert.ok(await get(`${inDefault}/configmaps/paused-${n}`))
})

test(
  'a hundred writers at our objects: ours is what we declared, theirs stays',
  { skip },
  async () => {
    await plain.up(kubeFiles('first'))
    const path = `${inDefault}/configmaps/scene-changed`
    let isOver = false
    const writers = Array.from({ length: 100 }, async (_, n) => {
      while (!isOver) {
        const live = await get(path)
        const data = { ...(live?.['data'] as Fields), [`w${n}`]: 'x', key: `writer-${n}` }
        await kube
          .ask('PUT', `${path}?fieldManager=writer-${n}`, { ...live, data })
          .catch(() => undefined)
      }
    })
    const driven = await plain.up(kubeFiles('second'))
    isOver = true
    await Promise.all(writers)
    assert.equal(driven.outcome, 'succeeded', driven.text)
    const mended = await plain.up(kubeFiles('second'))
    assert.equal(mended.outcome, 'succeeded', mended.text)
    const data = (await get(path))?.['data'] as Fields
    assert.equal(data['key'], 'second')
    assert.ok(Object.keys(data).length > 1, 'fields of others went')
  },
)

test('killed at any call, the next run converges and leaves nothing behind', { skip }, async () => {
  const moments = isThorough ? 24 : 5
  await plain.up(kubeFiles('first'))
  faults.plan(() => 'pass')
  const whole = driveKube(kube, 'scene', {}, faults.access)
  await whole.up(kubeFiles('second'))
  whole.close()
  const total = faults.calls()
  for (let moment = 0; moment < moments; moment += 1) {
    const version = moment % 2 === 0 ? 'first' : 'second'
    tally.tried('killed')
    const scene = new URL('./kube-scene.ts', import.meta.url).pathname
    const words = [scene, String(faults.port), kube.token, version]
    // most calls look and check; the last third writes
    const at = total - Math.floor(((moment + 0.5) * total) / moments / 2)
    const ended = Promise.withResolvers<void>()
    faults.plan(({ number }) => {
      if (number === at) child.kill('SIGKILL')
      return 'pass'
    })
    const child = spawn(process.execPath, words, { stdio: 'ignore' })
    child.once('exit', () => ended.resolve())
    await ended.promise
    const driven = await plain.up(kubeFiles(version))
    assert.equal(driven.outcome, 'succeeded', `killed at ${at}: ${driven.text}`)
    await stands(version, `killed at ${at}`)
    memory.check(`killed at ${at}`)
    tally.converged('killed')
  }
})
