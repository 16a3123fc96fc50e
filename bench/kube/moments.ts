/** How soon something is done, among 200 kustomizations of 1,000 objects: a push, a change by hand, a pod that crashes. */
import { createHmac } from 'node:crypto'
import {
  conditionOf,
  configMap,
  isReady,
  kustomization,
  maps,
  sets,
  type FluxWorld,
  type Live,
} from '../../test/testbed/flux-world.ts'
import { deployment } from '../../test/testbed/flux-manifests.ts'
import { fate } from '../../test/testbed/kube-stages.ts'
import { median, milliseconds, type Row } from '../row.ts'
import { waited } from '../service/world.ts'
import { setName } from './sets.ts'

export const hookSecret = 'the-secret-of-this-benchmark'

const rounds = 10
const pods = '/api/v1/namespaces/default/pods?labelSelector=app%3Dweb'

export async function* moments(world: FluxWorld): AsyncIterable<Row> {
  const commit = world.push('the one that changes', {
    'moments/map.yaml': configMap('moment', 'zero'),
    'moments/web.yaml': deployment('web:0'),
  })
  world.apply(kustomization('moments', { path: './moments' }))
  await until(async () => isReady(await world.get(`${sets}/moments`), commit))
  yield row('push to applied, by webhook', 2, await pushes(world))
  yield row('drift reverted, after kubectl patch', 2, await drifts(world))
  yield row('failure noticed, after the pod says it crashes', 10, await crashes(world))
}

function row(name: string, limit: number, times: readonly number[]): Row {
  const [middle, longest] = [median(times), Math.max(...times)]
  return {
    name: `${name}: to ${limit} s`,
    measured: middle / (limit * 1000),
    goal: { is: 'at most', than: 1 },
    behind: `median ${milliseconds(middle)} of ${times.length}, longest ${milliseconds(longest)}`,
  }
}

/** A ConfigMap rolls nothing out. The push itself counts. */
async function pushes(world: FluxWorld): Promise<readonly number[]> {
  const times: number[] = []
  for (let round = 1; round <= rounds; round += 1) {
    const value = `round-${round}`
    const began = performance.now()
    const commit = world.git.commit(value, { 'moments/map.yaml': configMap('moment', value) })
    await hook(world, commit)
    await until(async () => (await world.get(`${maps}/moment`)).data.key === value)
    times.push(performance.now() - began)
    await until(async () => isReady(await world.get(`${sets}/moments`), commit))
  }
  return times
}

/**
 * From the end of kubectl: then the change is there. Each round in another kustomization: in one and the same, from the sixth
 * time in a row on, a repair waits longer each time, since somebody else wants it otherwise.
 */
async function drifts(world: FluxWorld): Promise<readonly number[]> {
  const times: number[] = []
  for (let round = 1; round <= rounds; round += 1) {
    const name = `${setName(round)}-0`
    const { data: wanted }: Live = await world.get(`${maps}/${name}`)
    const patch = JSON.stringify({ data: { level: `by-hand-${round}` } })
    world.kube.kubectl(['patch', 'configmap', name, '--type=merge', '-p', patch])
    const began = performance.now()
    await until(async () => (await world.get(`${maps}/${name}`)).data.level === wanted.level)
    times.push(performance.now() - began)
  }
  return times
}

/** From the pod's own status to the Kustomization's: Ready is false and says why. */
async function crashes(world: FluxWorld): Promise<readonly number[]> {
  const times: number[] = []
  for (let round = 1; round <= 3; round += 1) {
    const template = `\n      annotations: { ${fate}: crash }`
    const bad = world.git.commit('crashes', {
      'moments/web.yaml': deployment(`web:bad-${round}`, template),
    })
    await hook(world, bad)
    await until(async () => hasCrashed(await world.get(pods)))
    const began = performance.now()
    await until(async () => {
      const set = await world.get(`${sets}/moments`)
      return conditionOf(set, 'Ready') === 'False HealthCheckFailed'
    })
    times.push(performance.now() - began)
    const good = world.git.commit('again', { 'moments/web.yaml': deployment(`web:${round}`) })
    await hook(world, good)
    await until(async () => isReady(await world.get(`${sets}/moments`), good))
    await until(async () => !hasCrashed(await world.get(pods)))
  }
  return times
}

function hasCrashed({ items }: Live): boolean {
  return JSON.stringify(items).includes('CrashLoopBackOff')
}

function until(isSo: () => Promise<boolean>): Promise<void> {
  return waited(120_000, 20, isSo)
}

async function hook({ serving, url }: FluxWorld, commit: string): Promise<void> {
  const body = JSON.stringify({
    ref: 'refs/heads/main',
    after: commit,
    repository: { clone_url: url },
  })
  const signature = createHmac('sha256', hookSecret).update(body).digest('hex')
  const headers = {
    'content-type': 'application/json',
    'x-github-event': 'push',
    'x-hub-signature-256': `sha256=${signature}`,
  }
  const answer = await fetch(`${serving.url}/api/webhook`, { method: 'POST', body, headers })
  const text = await answer.text()
  if (!answer.ok || text.includes('"ignored"'))
    throw new Error(`the webhook was not taken: ${text}`)
}
