/** What befalls the pods of a set, or its cluster, is said at once: also what is over in a moment, and what is only waited for. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  fluxWorld,
  gitRepository,
  isReady,
  kustomization,
  sets,
  type FluxWorld,
  type Live,
} from '../testbed/flux-world.ts'
import { fate } from '../testbed/kube-stages.ts'
import { controlPlane, requiredKube } from '../testbed/kube-tools.ts'
import type { AppStatus } from '#model/service.ts'

const skip = requiredKube([...controlPlane, 'flux'])
const key = 'kustomization:flux-system/web'
let world: FluxWorld

before(async () => {
  if (skip !== false) return
  world = await fluxWorld()
  const commit = world.git.commit('first', { 'web/web.yaml': deployment('') })
  world.apply(gitRepository('infra', world.url), kustomization('web', { path: './web' }))
  await world.start()
  await world.until(`${sets}/web`, (one) => isReady(one, commit))
  await world.serving.until(key, isWell)
})

after(async () => {
  if (skip === false) await world.stop()
})

function deployment(doom: string): string {
  const annotations = doom === '' ? '' : `, annotations: { ${fate}: ${doom} }`
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: default }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web }${annotations} }
    spec: { containers: [{ name: web, image: 'web:1' }] }
`
}

function isWell({ state, health }: AppStatus): boolean {
  return state === 'synced' && health.state === 'healthy'
}

test('a pod that was killed, though another stands in for it in a moment', { skip }, async () => {
  const { body } = await world.kube.ask('GET', '/api/v1/namespaces/default/pods')
  const pods: Live = body
  const [{ metadata }] = pods.items
  world.kube.kubectl(['delete', 'pod', '-n', 'default', '--wait=false', metadata.name])
  const told = await world.serving.until(key, ({ health }) => health.state === 'progressing')
  assert.equal(told.sync.state, 'synced')
  assert.match(told.health.reason, /^Deployment\.apps\/default\/web: .*0\/1/)
  await world.serving.until(key, isWell)
})

test('a container that was started anew in its pod, with how it ended', { skip }, async () => {
  const { body } = await world.kube.ask('GET', '/api/v1/namespaces/default/pods')
  const pods: Live = body
  const [{ metadata }] = pods.items
  const path = `/api/v1/namespaces/default/pods/${metadata.name}/status`
  await setContainer(path, false, { waiting: { reason: 'ContainerCreating' } })
  await world.serving.until(key, ({ health }) => health.state === 'progressing')
  await setContainer(path, true, { running: {} })
  const words =
    /it was not ready a moment ago: .*0\/1.* \(pod web-.*, container web: OOMKilled \(exit code 137\), restarts: 1\)/
  await world.serving.until(key, ({ health }) => words.test(health.reason))
  await world.serving.until(key, isWell)
})

/** As a kubelet writes it when it starts the one container of a pod again. */
async function setContainer(path: string, ready: boolean, state: object): Promise<void> {
  const { body } = await world.kube.ask('GET', path)
  const live: Live = body
  for (const condition of live.status.conditions) {
    if (condition.type.endsWith('Ready')) condition.status = ready ? 'True' : 'False'
  }
  const finishedAt = new Date().toISOString()
  const terminated = { exitCode: 137, reason: 'OOMKilled', finishedAt, startedAt: finishedAt }
  for (const one of live.status.containerStatuses) {
    Object.assign(one, { ready, state, restartCount: 1, lastState: { terminated } })
  }
  const answer = await world.kube.ask('PUT', path, live)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
}

test('an image that is not there, while it may still come', { skip }, async () => {
  const began = Date.now()
  world.push('bad', { 'web/web.yaml': deployment('pull') })
  const told = await world.serving.until(key, ({ sync }) => /ErrImagePull/.test(sync.reason))
  assert.ok(Date.now() - began < 30_000, 'before that is final')
  assert.equal(told.sync.state, 'syncing')
  assert.match(
    told.sync.reason,
    /^Deployment.apps\/default\/web: pod web-.*: ErrImagePull: no such/,
  )
  const waits = /^Applying and checking revision main@.*; Deployment.*: ErrImagePull: no such image/
  await world.until(`${sets}/web`, (one) => waits.test(one.status.conditions[0].message), 30)
  const commit = world.push('good', { 'web/web.yaml': deployment('') })
  await world.until(`${sets}/web`, (one) => isReady(one, commit), 240)
  await world.serving.until(key, isWell)
})

test('a cluster that went away is said before anybody asks it something', { skip }, async () => {
  const began = Date.now()
  await world.kube.stopServer()
  const stopped = Date.now()
  const told = await world.serving.until(key, ({ sync }) => sync.state === 'unknown')
  assert.equal(told.health.state, 'unknown')
  // pings come every five seconds
  const took = Date.now() - stopped
  assert.ok(took < 2_000, `${took} ms after ${stopped - began} ms`)
  await world.kube.startServer()
  await world.serving.until(key, isWell)
})
