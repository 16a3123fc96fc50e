/** The verbs about a Kustomization: by any spelling, from this machine and from another, and with advice that fits. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import {
  configMap,
  fluxWorld,
  gitRepository,
  isReady,
  kustomization,
  maps,
  sets,
  type FluxWorld,
  type Live,
} from '../testbed/flux-world.ts'
import { controlPlane, requiredKube } from '../testbed/kube-tools.ts'
import { waitFor } from '../testbed/serving.ts'

const skip = requiredKube([...controlPlane])
const elsewhere = mkdtempSync(join(tmpdir(), 'tend-elsewhere-'))
let world: FluxWorld

before(async () => {
  if (skip !== false) return
  world = await fluxWorld()
  const commit = world.git.commit('first', { 'apps/a.yaml': configMap('a', 'one') })
  world.apply(gitRepository('infra', world.url), kustomization('apps', { path: './apps' }))
  await world.start()
  await world.until(`${sets}/apps`, (one) => isReady(one, commit))
  const next = world.push('second', { 'apps/a.yaml': configMap('a', 'two') })
  await world.until(`${sets}/apps`, (one) => isReady(one, next))
})

after(async () => {
  rmSync(elsewhere, { recursive: true })
  if (skip === false) await world.stop()
})

/** A machine that has nothing but the address and a token. */
async function fromAfar(line: string) {
  const token = readFileSync(join(world.serving.home, 'local-token'), 'utf8').trim()
  const surroundings = { TEND_HOME: elsewhere, TEND_SERVER: world.serving.url, TEND_TOKEN: token }
  return world.serving.tend(line, surroundings)
}

const spellings = [
  'apps',
  'kustomization/apps',
  'kustomizations/apps',
  'ks/apps',
  'kustomization apps',
  'kustomization/apps -n flux-system',
  'kustomization/flux-system/apps',
]

test('history and status of a Kustomization, by any spelling and from afar', { skip }, async () => {
  for (const spelling of spellings) {
    const told = await fromAfar(`history ${spelling}`)
    assert.equal(told.code, 0, `${spelling}: ${told.err}`)
    assert.match(told.out, /^2 .*succeeded/m, spelling)
  }
  assert.match((await world.serving.tend('history apps')).out, /^2 .*succeeded/m)
  const status = await fromAfar('status kustomization/apps')
  assert.equal(status.code, 0, status.err)
  assert.match(status.out, /apps/)
})

test(
  'rights go by the labels of a Kustomization, as soon as they are there',
  { skip },
  async () => {
    const { out } = await world.serving.tend(
      'token create --name team --role read --app label:team=web',
    )
    const token = /tend_[\w-]+/.exec(out)?.[0] ?? out.trim()
    const seen = async (): Promise<readonly string[]> => {
      const headers = { authorization: `Bearer ${token}` }
      const answer: Live = await (
        await fetch(`${world.serving.url}/api/v1/apps`, { headers })
      ).json()
      return answer.map((one: Live) => one.key)
    }
    assert.deepEqual(await seen(), [])
    world.kube.kubectl(['label', 'kustomization', 'apps', '-n', 'flux-system', 'team=web'])
    await waitFor(async () => (await seen()).length === 1)
    world.kube.kubectl(['label', 'kustomization', 'apps', '-n', 'flux-system', 'team-'])
    await waitFor(async () => (await seen()).length === 0)
  },
)

test('a name that is mistyped is told, and never with advice for charts', { skip }, async () => {
  for (const verb of ['history', 'rollback', 'status', 'logs', 'sync', 'suspend']) {
    for (const name of ['kustomization/app', 'aps']) {
      const told = await fromAfar(`${verb} ${name}`)
      assert.equal(told.code, 2, told.out)
      assert.match(told.err, /did you mean .*apps\?/, `${verb} ${name}`)
      assert.doesNotMatch(told.err, /tend up|tend install|folder/, `${verb} ${name}`)
    }
  }
  for (const verb of ['history', 'rollback', 'status', 'logs']) {
    const alone = await world.serving.tend(`${verb} kustomization/apps`, { TEND_HOME: elsewhere })
    assert.equal(alone.code, 2, alone.out)
    assert.match(alone.err, /--server or TEND_SERVER/, verb)
    assert.match(alone.err, /port-forward svc\/tend/, verb)
  }
})

test('without a service the object itself says what is wanted', { skip }, async () => {
  const alone = (line: string, more = {}) =>
    world.serving.tend(line, { TEND_HOME: elsewhere, ...more })
  const paused = await alone('suspend kustomization/apps')
  assert.equal(paused.code, 0, paused.err)
  assert.match(paused.out, /flux-system\/apps: suspended, in the cluster at http/)
  assert.equal((await world.get(`${sets}/apps`)).spec.suspend, true)
  const refused = await alone('sync kustomization/apps')
  assert.match(refused.err, /is suspended[^]*tend resume kustomization\/flux-system\/apps/)
  const nobody = { TEND_SERVER: 'http://127.0.0.1:9' }
  assert.equal((await alone('resume ks/apps -n flux-system', nobody)).code, 0)
  assert.equal((await world.get(`${sets}/apps`)).spec.suspend, undefined)
  const asked = await alone('sync kustomization/apps --wait')
  assert.equal(asked.code, 0, asked.err)
  assert.match(asked.err, /Applied revision/)
  const { metadata, status } = await world.get(`${sets}/apps`)
  const at = metadata.annotations['reconcile.fluxcd.io/requestedAt']
  assert.equal(status.lastHandledReconcileAt, at)
  const none = await alone('suspend kustomization/nobody')
  assert.equal(none.code, 2)
  assert.match(none.err, /no Kustomization flux-system\/nobody/)
  const blind = await alone('suspend kustomization/apps', { KUBECONFIG: '/nonexistent' })
  assert.match(blind.err, /no service runs here/)
})

test('going back from afar, and what is said where it can not be', { skip }, async () => {
  for (const run of ['', ' 1']) {
    const preview = await fromAfar(`rollback kustomization/apps${run} --dry-run`)
    assert.equal(preview.code, 0, preview.err)
    assert.match(preview.out, /ConfigMap\/default\/a {2}update[^]*data\.key: /)
  }
  const here = await fromAfar('rollback kustomization/apps 2 --dry-run')
  assert.match(here.out, /Nothing would change: .* as run 2 left it/)
  assert.deepEqual((await world.get(`${maps}/a`)).data, { key: 'two' })
  const none = await fromAfar('rollback kustomization/apps 99')
  assert.match(none.err, /tend history kustomization\/flux-system\/apps/)
  const back = await fromAfar('rollback kustomization/apps 1')
  assert.equal(back.code, 0, back.err)
  await world.until(`${maps}/a`, (one) => one?.data?.key === 'one')
})
