/**
 * Kustomizations and GitRepositories that want what is not their own, on a control plane and the real service: each is refused with its
 * place, no canary on the host, in Tend's home or in another application is read or written, and another set goes on.
 */
import assert from 'node:assert/strict'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { after, before, test } from 'node:test'
import {
  configMap,
  fluxWorld,
  gitRepository,
  gits,
  isReady,
  kustomization,
  maps,
  namespace,
  sets,
  type FluxWorld,
  type Live,
} from '../testbed/flux-world.ts'
import { everyRoute } from '../testbed/every-route.ts'
import { controlPlane, requiredKube } from '../testbed/kube-tools.ts'
import { waitFor } from '../testbed/serving.ts'
import { attacks, deep, hostileSources, type Attack } from './cluster-attacks.ts'

const skip = requiredKube([...controlPlane, 'flux'])
const canary = 'canary-5d2b'
let world: FluxWorld
let host: string

before(async () => {
  if (skip !== false) return
  host = mkdtempSync(join(tmpdir(), 'tend-canary-'))
  writeFileSync(join(host, 'canary'), `A=${canary}-host\n`)
  writeFileSync(join(host, 'map.yaml'), configMap('from-host', `${canary}-host`))
  writeFileSync(join(host, 'kustomization.yaml'), 'resources: [map.yaml]\n')
  world = await fluxWorld()
  mkdirSync(world.serving.home, { recursive: true })
  writeFileSync(join(world.serving.home, 'canary'), `A=${canary}-home\n`)
})

after(async () => {
  if (skip !== false) return
  await world.stop()
  rmSync(host, { recursive: true })
})

function plant(all: Readonly<Record<string, Attack>>): void {
  for (const [name, { links = {} }] of Object.entries(all)) {
    for (const [link, target] of Object.entries(links)) {
      mkdirSync(join(world.git.work, name), { recursive: true })
      symlinkSync(target, join(world.git.work, name, link))
    }
  }
  const files = Object.entries(all).flatMap(([name, { files }]) =>
    Object.entries(files).map(([path, text]) => [`${name}/${path}`, text] as const),
  )
  const deeply = Object.entries(deep(60)).map(([path, text]) => [`deep/${path}`, text] as const)
  world.git.commit('attacks', {
    ...Object.fromEntries([...files, ...deeply]),
    'victim/a.yaml': configMap('victim', 'good'),
    'health/a.yaml': configMap('health', 'one'),
    'told/a.yaml': `${configMap('told', 'x${WORD}y')}  port: "p\${PORT}"\n`,
    'told-wrong/a.yaml': `apiVersion: v1\nkind: Service\nmetadata: { name: told, namespace: default }\nspec: { type: "\${WORD}", ports: [{ port: 80 }] }\n`,
  })
}

void test(
  'every way out is refused with its place, and nothing outside is read or written',
  { skip, timeout: 900_000 },
  async () => {
    const all = attacks(host, world.serving.home)
    plant(all)
    world.apply(
      gitRepository('infra', world.url),
      kustomization('victim', { path: './victim' }),
      namespace('victim'),
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'canary', namespace: 'victim' },
        stringData: { word: `${canary}-app` },
      },
    )
    await world.start()
    await world.until(`${sets}/victim`, (one) => isReady(one))
    const victim = await world.get(`${maps}/victim`)
    world.apply(
      ...Object.entries(all).map(([name, { spec = {} }]) =>
        kustomization(name, { path: `./${name}`, ...spec }),
      ),
      kustomization('deep', { path: './deep' }),
      kustomization('secret-elsewhere', {
        path: './victim',
        namePrefix: 'stolen-',
        postBuild: { substituteFrom: [{ kind: 'Secret', name: 'canary' }] },
      }),
    )
    const wrong: string[] = []
    for (const [name, { said }] of Object.entries(all)) {
      const refused = await world.until(`${sets}/${name}`, (one) => isRefused(one) || isReady(one))
      const { status, message } = readyOf(refused)
      // oxlint-disable-next-line no-control-regex -- they are what must not be there
      const hasControls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(message)
      if (status !== 'False' || !said.test(message) || hasControls)
        wrong.push(`${name}: ${message}`)
    }
    assert.deepEqual(wrong, [])
    const elsewhere = await world.until(`${sets}/secret-elsewhere`, isRefused)
    assert.match(readyOf(elsewhere).message, /flux-system\/canary' not found/)
    await world.until(`${sets}/deep`, (one) => isReady(one) || isRefused(one))
    await sourcesRefused()
    const maped: Live = await world.get('/api/v1/configmaps')
    const secrets: Live = await world.get('/api/v1/namespaces/default/secrets')
    assert.doesNotMatch(JSON.stringify([maped.items, secrets.items]), new RegExp(canary))
    assert.deepEqual((await world.get(`${maps}/victim`)).metadata.uid, victim.metadata.uid)
    assert.deepEqual((await world.get(`${maps}/victim`)).data, { key: 'good' })
    assert.deepEqual(readdirSync(host).toSorted(), ['canary', 'kustomization.yaml', 'map.yaml'])
    assert.doesNotMatch(world.serving.log(), new RegExp(canary))
  },
)

async function sourcesRefused(): Promise<void> {
  const all = hostileSources(host, world.git.bare)
  // what the API server itself refuses is refused
  for (const [name, spec] of Object.entries(all)) {
    try {
      world.apply(
        gitRepository(name, world.url, spec),
        kustomization(`of-${name}`, { sourceRef: { kind: 'GitRepository', name } }),
      )
    } catch {
      continue
    }
    const refused: Live = await world.until(`${gits}/${name}`, isRefused)
    assert.notEqual(readyOf(refused).message, '', name)
    assert.equal((await world.get(`${gits}/${name}`)).status.artifact, undefined, name)
  }
}

function readyOf(object: Live): { readonly status: string; readonly message: string } {
  return (
    object?.status?.conditions?.find((one: Live) => one.type === 'Ready') ?? {
      status: '',
      message: '',
    }
  )
}

function isRefused(object: Live): boolean {
  const { status, message } = readyOf(object)
  return status === 'False' && !/in progress|waiting|not ready/i.test(message)
}

void test(
  'expressions that never end keep nobody waiting',
  { skip, timeout: 600_000 },
  async () => {
    const nested = (depth: number): string =>
      depth === 0 ? 'false' : `[1,1,1,1,1,1,1,1,1,1].exists(x, ${nested(depth - 1)})`
    const about = { apiVersion: 'v1', kind: 'ConfigMap' }
    const many = Array.from({ length: 20 }, (_, i) =>
      kustomization(`bomb-${i}`, {
        path: './health',
        namePrefix: `bomb-${i}-`,
        wait: true,
        timeout: '30s',
        healthCheckExprs: [{ ...about, current: nested(9), failed: nested(8) }],
      }),
    )
    const ready = Array.from({ length: 20 }, (_, i) =>
      kustomization(`gate-${i}`, {
        path: './health',
        namePrefix: `gate-${i}-`,
        dependsOn: [{ name: 'victim', readyExpr: nested(9) }],
      }),
    )
    const asking = askingBeside(`${world.serving.url}/healthz`)
    world.apply(...many, ...ready)
    await waitFor(async () => {
      const { items }: Live = await world.get(sets)
      return (
        items.filter(
          ({ metadata, status }: Live) =>
            String(metadata.name).startsWith('bomb-') && status?.conditions,
        ).length === 20
      )
    }, 300_000)
    world.push('another', { 'victim/a.yaml': configMap('victim', 'better') })
    await world.until(`${maps}/victim`, (one) => one?.data?.key === 'better')
    const took = await asking.end()
    const slow = took.filter((one) => one > 2_000)
    assert.equal(slow.length, 0, `${slow.length} of ${took.length} answers took longer than 2 s`)
    const names = [...many, ...ready].map(({ metadata }: Live) => metadata.name)
    world.kube.kubectl(['delete', 'kustomization', '-n', 'flux-system', ...names, '--wait=false'])
  },
)

void test(
  'a value of a Secret that is filled into other objects is told nowhere',
  { skip, timeout: 600_000 },
  async () => {
    const word = 'planted-Xq81z'
    const secret = (value: string) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'words', namespace: 'flux-system' },
      stringData: { WORD: value, PORT: '54321' },
    })
    const postBuild = { substituteFrom: [{ kind: 'Secret', name: 'words' }] }
    world.apply(secret(word), kustomization('told', { path: './told', postBuild }))
    const holds = (text: string) => (one: Live) => one?.data?.key === text
    const filled = await world.until(`${maps}/told`, holds(`x${word}y`))
    assert.equal(filled.data.port, 'p54321')
    await world.until(`${sets}/told`, (one) => isReady(one))
    const answers: string[] = []
    const apps: Live = await (await world.serving.api('/api/v1/apps')).json()
    const { key } = apps.find((one: Live) => /^kustomization:.*told$/.test(one.key))
    const ask = async (): Promise<void> => {
      const about = { key, container: 'x', resource: 'ConfigMap/default/told', path: 'told' }
      for (const { text } of await everyRoute(world.serving, about)) answers.push(text)
      for (const verb of ['status', 'diff', 'plan', 'history', 'status -o json']) {
        const [name, ...rest] = verb.split(' ')
        const { out, err } = await world.serving.tend(
          [name, 'kustomization/told', ...rest].join(' '),
        )
        answers.push(`${verb}: ${out}${err}`)
      }
    }
    await ask()
    const byHand = '{"data":{"key":"by hand"}}'
    world.kube.kubectl(['patch', 'configmap', 'told', '--type=merge', '-p', byHand])
    await ask()
    await world.until(`${maps}/told`, holds(`x${word}y`))
    world.apply(secret(`${word}-2`))
    await ask()
    await world.until(`${maps}/told`, holds(`x${word}-2y`))
    world.apply(kustomization('told-wrong', { path: './told-wrong', postBuild }))
    const refused = await world.until(`${sets}/told-wrong`, isRefused)
    assert.match(readyOf(refused).message, /told-wrong\/a\.yaml:4/)
    await ask()
    const happened: Live = await world.get('/api/v1/events')
    const objects: Live = await world.get(sets)
    await world.serving.stop()
    const kept = readdirSync(world.serving.home, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map((one) => readFileSync(join(one.parentPath, one.name), 'latin1'))
    const inCluster = [happened.items, objects.items].map((one) => JSON.stringify(one))
    for (const text of [...answers, world.serving.log(), ...inCluster, ...kept]) {
      const at = text.indexOf(word)
      assert.equal(at, -1, text.slice(Math.max(0, at - 300), at + 100))
    }
  },
)

/** In a thread of its own: kubectl and git keep this one busy, and the service would be blamed for it. */
function askingBeside(url: string): { end(): Promise<readonly number[]> } {
  const code = `const { parentPort, workerData } = require('node:worker_threads')
    const took = []
    let isOver = false
    parentPort.once('message', () => (isOver = true))
    void (async () => {
      while (!isOver) {
        const begun = performance.now()
        await (await fetch(workerData)).text()
        took.push(performance.now() - begun)
      }
      parentPort.postMessage(took)
    })()`
  const worker = new Worker(code, { eval: true, workerData: url })
  return {
    end: () =>
      new Promise((resolve, reject) => {
        worker.once('message', resolve)
        worker.once('error', reject)
        worker.postMessage('end')
      }),
  }
}
