/** Beside Flux's other controllers: GitRepositories are left to source-controller. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  conditionOf,
  configMap,
  fluxWorld,
  gitRepository,
  gits,
  isReady,
  kustomization,
  sets,
  type FluxWorld,
} from '../testbed/flux-world.ts'
import { controlPlane, requiredKube } from '../testbed/kube-tools.ts'

const skip = requiredKube([...controlPlane])
let world: FluxWorld

before(async () => {
  if (skip !== false) return
  world = await fluxWorld()
  world.git.commit('first', { 'app/a.yaml': configMap('a', 'one') })
})

after(async () => {
  if (skip === false) await world.stop()
})

function lease(name: string, holder: string): unknown {
  const renewTime = new Date().toISOString().replace('Z', '000Z')
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: `${name}-leader-election`, namespace: 'flux-system' },
    spec: { holderIdentity: holder, leaseDurationSeconds: 35, renewTime },
  }
}

/** Renews a lease as one of Flux's controllers does, until the function is called. */
function atWork(controller: string): () => Promise<void> {
  let isAtWork = true
  world.apply(lease(controller, `${controller}-abc`))
  const working = (async () => {
    for (; isAtWork; await sleep(1_000)) world.apply(lease(controller, `${controller}-abc`))
    world.apply(lease(controller, ''))
  })()
  return async () => {
    isAtWork = false
    await working
  }
}

test(
  'while source-controller is at work its objects are its own, and sets are applied',
  { skip },
  async () => {
    const end = atWork('source-controller')
    try {
      world.apply(gitRepository('infra', world.url), kustomization('apps', { path: './app' }))
      const status = { conditions: [], artifact: artifactOf('main@sha1:theirs') }
      const patch = ['--subresource=status', '--type=merge', '-p', JSON.stringify({ status })]
      world.kube.kubectl(['patch', 'gitrepository', '-n', 'flux-system', 'infra', ...patch])
      await world.start()
      const commit = world.push('second', { 'app/a.yaml': configMap('a', 'two') })
      await world.until(`${sets}/apps`, (one) => isReady(one, commit))
      const { status: theirs, metadata } = await world.get(`${gits}/infra`)
      assert.equal(theirs.artifact.revision, 'main@sha1:theirs')
      assert.deepEqual(theirs.conditions, [])
      assert.equal(JSON.stringify(metadata.managedFields).includes('gotk-source-controller'), false)
    } finally {
      await end()
    }
    // when it is gone, somebody has to say how the source is
    await world.until(`${gits}/infra`, (one) => conditionOf(one, 'Ready') === 'True Succeeded')
  },
)

function artifactOf(revision: string) {
  const url = 'http://source-controller.flux-system.svc.cluster.local./x'
  return { revision, digest: 'sha256:0', path: 'x', url, lastUpdateTime: new Date(0).toISOString() }
}
