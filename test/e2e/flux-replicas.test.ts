/** Two replicas on one control plane: one at a time follows it, and when that one is gone the other does, within 15 s. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import {
  configMap,
  fluxWorld,
  gitRepository,
  isReady,
  kustomization,
  maps,
  sets,
  type FluxWorld,
} from '../testbed/flux-world.ts'
import { controlPlane, requiredKube } from '../testbed/kube-tools.ts'
import { requiredPostgres, startPostgres, type Postgres } from '../testbed/postgres.ts'
import { servingOn, waitFor, type Serving } from '../testbed/serving.ts'

const skip = requiredKube([...controlPlane, 'flux']) || requiredPostgres()

describe('replicas on a cluster', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tend-key-'))
  let postgres: Postgres
  let world: FluxWorld
  let other: Serving

  before(async () => {
    const key = join(folder, 'key')
    writeFileSync(key, randomBytes(32), { mode: 0o600 })
    postgres = await startPostgres()
    const shared = { TEND_DATABASE: postgres.database(), TEND_KEY_FILE: key }
    world = await fluxWorld({ environment: shared })
    other = await servingOn({
      ...shared,
      HOME: world.kube.root,
      KUBECONFIG: world.kube.kubeconfig,
    })
    world.git.commit('first', { 'app/a.yaml': configMap('a', 'one') })
    world.apply(gitRepository('infra', world.url), kustomization('apps', { path: './app' }))
    await world.start()
    await world.until(`${sets}/apps`, (one) => isReady(one))
    await start(other)
  })
  after(async () => {
    other?.signal('SIGCONT')
    await other?.remove()
    await world?.stop()
    await postgres?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** One says which cluster it offers, the other one has it from its surroundings. */
  function start(replica: Serving): Promise<void> {
    const which = replica === other ? ['--offer', 'kube=test'] : []
    return replica.start(['--kube', ...which, '--listen', new URL(replica.url).host])
  }

  /** Commits, and gives after how many seconds the cluster has it. */
  /** Printed, and never what decides: on a busy machine it says more about that than about Tend. */
  async function seconds(value: string, began: number): Promise<number> {
    const commit = world.push(value, { 'app/a.yaml': configMap('a', value) })
    await world.until(`${sets}/apps`, (one) => isReady(one, commit))
    assert.deepEqual((await world.get(`${maps}/a`)).data, { key: value })
    return (performance.now() - began) / 1000
  }

  async function holder(): Promise<string> {
    const path = '/apis/coordination.k8s.io/v1/namespaces/flux-system/leases/tend'
    return (await world.get(path)).spec.holderIdentity
  }

  test('one follows it, and the other one leaves it alone', async () => {
    const before = await holder()
    await seconds('two', performance.now())
    assert.equal(await holder(), before)
    assert.doesNotMatch(other.log(), /sync started/)
    for (const each of [world.serving, other]) {
      const apps: readonly { readonly key: string }[] = JSON.parse(
        await (await each.api('/api/v1/apps')).text(),
      )
      assert.deepEqual(
        apps.map(({ key }) => key),
        ['kustomization:flux-system/apps'],
      )
    }
  })

  test('it is killed: the other one takes over', async () => {
    const before = await holder()
    const began = performance.now()
    await world.serving.kill()
    const taken = await seconds('three', began)
    console.log(`after a kill the other one had applied a commit after ${taken.toFixed(1)} s`)
    assert.notEqual(await holder(), before)
    assert.match(other.log(), /sync started/)
    await start(world.serving)
  })

  test('it stops without a word, as a machine that is lost: the same; and it changes nothing when it wakes up', async () => {
    // the second one waits for its turn by now
    await waitFor(async () => (await world.serving.api('/api/v1/apps')).status === 200)
    const began = performance.now()
    other.signal('SIGSTOP')
    const taken = await seconds('four', began)
    console.log(`after a stop the other one had applied a commit after ${taken.toFixed(1)} s`)
    const [now, from] = [await holder(), other.log().length]
    other.signal('SIGCONT')
    await waitFor(() => other.log().slice(from).includes('takes part'))
    await seconds('five', performance.now())
    assert.equal(await holder(), now)
    assert.doesNotMatch(other.log().slice(from), /sync started/)
  })
})
