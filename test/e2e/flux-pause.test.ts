/** A cluster that stalls, or that another one acts on, pauses what is done there: the service and its other kinds go on. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { requiredDocker, startDocker, type TestDocker } from '../testbed/docker.ts'
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
import { busybox } from '../testbed/image.ts'
import { controlPlane, requiredKube } from '../testbed/kube-tools.ts'
import { waitFor } from '../testbed/serving.ts'

const skip = requiredKube([...controlPlane, 'flux']) || requiredDocker()
let world: FluxWorld
let docker: TestDocker

before(async () => {
  if (skip !== false) return
  world = await fluxWorld()
  docker = await startDocker()
  await docker.addImage()
  world.git.commit('first', { 'app/a.yaml': configMap('a', 'one'), 'web/compose.yaml': stack('1') })
  world.apply(gitRepository('infra', world.url), kustomization('apps', { path: './app' }))
  world.serving.declare(`sources:
  infra: { git: '${world.url}', ref: main }
apps:
  - stack: web
    source: infra
    path: web
    interval: 1s
    target: unix://${docker.socket}
`)
  await world.start()
})

after(async () => {
  if (skip !== false) return
  await world.stop()
  await docker.stop()
})

function stack(value: string): string {
  return `services: { web: { image: '${busybox}', command: [sleep, '1000'], init: true, labels: { value: '${value}' } } }\n`
}

function byHand(value: string): void {
  const patch = JSON.stringify({ data: { key: value } })
  world.kube.kubectl(['patch', 'configmap', 'a', '--type=merge', '-p', patch])
}

async function stackHas(revision: string): Promise<void> {
  await world.serving.until(
    'stack:web',
    ({ state, synced }) => state === 'synced' && synced?.revision === revision,
  )
}

const paused = () => world.serving.log().match(/work on the cluster pauses/g)?.length ?? 0

test(
  'a stall of the database pauses the cluster alone, and it goes on by itself',
  { skip },
  async () => {
    await world.until(`${sets}/apps`, (one) => isReady(one))
    const pid = world.serving.pid()
    world.kube.pauseDatabase()
    let commit: string
    try {
      await waitFor(() => paused() === 1)
      // a stack is rolled out while the cluster stands still
      commit = world.git.commit('more', {
        'app/a.yaml': configMap('a', 'two'),
        'web/compose.yaml': stack('2'),
      })
      await stackHas(commit)
    } finally {
      world.kube.resumeDatabase()
    }
    await world.until(`${sets}/apps`, (one) => isReady(one, commit))
    assert.deepEqual((await world.get(`${maps}/a`)).data, { key: 'two' })
    byHand('hand')
    await world.until(`${maps}/a`, (one) => one.data.key === 'two')
    assert.equal(world.serving.pid(), pid)
    process.kill(pid, 0)
  },
)

for (const [name, holder, why] of [
  [
    'kustomize-controller-leader-election',
    'kustomize-controller-abc',
    /kustomize-controller is at work/,
  ],
  ['tend', 'another Tend', /another Tend may tend this cluster/],
] as const) {
  test(`what ${holder} holds is left alone until it lets go`, { skip }, async () => {
    const before = paused()
    let isAtWork = true
    const working = (async () => {
      for (; isAtWork; await sleep(1_000)) world.apply(lease(name, holder, Date.now()))
      world.apply(lease(name, '', Date.now()))
    })()
    try {
      await waitFor(() => paused() > before)
      byHand('left alone')
      const commit = world.git.commit(name, { 'web/compose.yaml': stack(name) })
      await stackHas(commit)
      assert.deepEqual((await world.get(`${maps}/a`)).data, { key: 'left alone' })
      await world.serving.until('kustomization:flux-system/apps', ({ reason }) => why.test(reason))
    } finally {
      isAtWork = false
      await working
    }
    await world.until(`${maps}/a`, (one) => one.data.key === 'two')
  })
}

function lease(name: string, holder: string, at: number): unknown {
  const renewTime = new Date(at).toISOString().replace('Z', '000Z')
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name, namespace: 'flux-system' },
    spec: { holderIdentity: holder, leaseDurationSeconds: 35, renewTime },
  }
}
