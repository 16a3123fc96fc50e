/** Real Flux and Tend on one control plane, given the same: what each says of it, field by field (`npm run test:flux-real`). */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  applyDefinitions,
  startFluxController,
  watchKustomizations,
} from '../testbed/flux-controllers.ts'
import {
  gitRepository,
  gits,
  kustomization,
  namespace,
  sets,
  type Fields,
  type Live,
} from '../testbed/flux-world.ts'
import { gitBench, type Bench } from '../testbed/git.ts'
import { startGitHttp, type GitHttp } from '../testbed/git-http.ts'
import { goToolPath } from '../testbed/go-tools.ts'
import { startKube, type TestKube } from '../testbed/kube.ts'
import { controlPlane, requiredKube } from '../testbed/kube-tools.ts'
import { freePort } from '../testbed/port.ts'
import { servingOn, waitFor, type Serving } from '../testbed/serving.ts'
import { webStandIn, type WebStandIn } from '../testbed/web-stand-in.ts'
import { ageKey, alerting, scenarios, type Scenario } from './flux-scenarios.ts'
import { show, told, type Told } from './flux-told.ts'

/** Each part runs with what there is; what there is not is told. */
const skip = requiredKube([...controlPlane, 'source-controller'])
const skipFlux = skip || requiredKube(['kustomize-controller'])
const skipAlerts = skip || requiredKube(['notification-controller'])

let kube: TestKube
let git: Bench
let http: GitHttp
let alerts: WebStandIn
let serving: Serving
let eventsAddress = ''
const closing: (() => Promise<unknown>)[] = []

const events = '/api/v1/namespaces/flux-system/events'

function versionOf(name: 'source-controller' | 'kustomize-controller' | 'notification-controller') {
  return goToolPath(name).replace(/^.*-(v[\d.]+)$/, '$1')
}

before(async () => {
  if (skip !== false) return
  kube = await startKube()
  await kube.addNodes(1)
  for (const name of [
    'source-controller',
    'kustomize-controller',
    'notification-controller',
  ] as const) {
    applyDefinitions(kube, `github.com/fluxcd/${name}`, versionOf(name))
  }
  git = gitBench()
  http = await startGitHttp({ folder: git.folder })
  alerts = await webStandIn()
  apply(namespace('flux-system'), namespace('scenarios'), namespace('other'))
  apply({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'age', namespace: 'flux-system' },
    stringData: { 'age.agekey': ageKey },
  })
  const storage = `127.0.0.1:${await freePort()}`
  const source = await startFluxController(kube, 'source-controller', [
    `--storage-path=${kube.root}`,
    `--storage-addr=${storage}`,
    `--storage-adv-addr=${storage}`,
    '--events-addr=',
  ])
  const eventsPort = await freePort()
  if (skipAlerts === false) {
    const notification = await startFluxController(kube, 'notification-controller', [
      `--events-addr=127.0.0.1:${eventsPort}`,
      `--receiverAddr=127.0.0.1:${await freePort()}`,
    ])
    closing.push(() => notification.stop())
  }
  // to nobody they are tried again and again, which holds up whoever sends them
  eventsAddress = skipAlerts === false ? `http://127.0.0.1:${eventsPort}/` : ''
  serving = await servingOn({
    HOME: kube.root,
    KUBECONFIG: kube.kubeconfig,
    TEND_FLUX_EVENTS: `http://127.0.0.1:${eventsPort}/`,
  })
  closing.push(
    () => serving.remove(),
    () => source.stop(),
    () => alerts.close(),
    () => http.stop(),
    async () => git.remove(),
    () => kube.stop(),
  )
  apply(...alerting(alerts.url))
})

after(async () => {
  for (const close of closing) await close()
})

function apply(...objects: readonly unknown[]): void {
  const list = { apiVersion: 'v1', kind: 'List', items: objects }
  kube.kubectl(['apply', '--server-side', '--force-conflicts', '-f', '-'], JSON.stringify(list))
}

async function get(path: string): Promise<Live> {
  const { status, body } = await kube.ask('GET', path)
  return status === 404 ? undefined : body
}

function filesOf(part: (one: Scenario) => Scenario['next']): Record<string, string | null> {
  const all = scenarios.flatMap((one) =>
    Object.entries(part(one) ?? {}).map(([path, text]) => [
      path.startsWith('../') ? path.slice(3) : `${one.name}/${path}`,
      text,
    ]),
  )
  return Object.fromEntries(all)
}

function readyOf(object: Live): Live {
  return object?.status?.conditions?.find((one: Live) => one.type === 'Ready')
}

/** All have said how it ended, of this commit: each as it was when it said so, for what failed is tried again. */
async function rest(commit: string): Promise<ReadonlyMap<string, Live>> {
  const ended = new Map<string, Live>()
  const asked = `reconcile.fluxcd.io/requestedAt=${commit}`
  kube.kubectl(['annotate', '-n', 'flux-system', '--overwrite', 'gitrepository', 'infra', asked])
  const waiting = new Set(scenarios.filter(({ ready }) => ready !== 'none').map(({ name }) => name))
  const end = watchKustomizations(kube, (one) => {
    const { name } = one.metadata
    const wanted = scenarios.find((scenario) => scenario.name === name)
    const isOf = name === 'dependency' || (one.status?.lastAttemptedRevision ?? '').endsWith(commit)
    if (!waiting.has(name) || !isOf || readyOf(one)?.status !== wanted?.ready) return
    // what is well stays so, and its inventory may be written after that word
    if (wanted?.ready === 'False') ended.set(name, one)
    waiting.delete(name)
  })
  try {
    await waitFor(() => waiting.size === 0, 240_000)
  } catch (error) {
    throw new Error(`not at rest: ${await standing(waiting)}`, { cause: error })
  } finally {
    end()
  }
  return ended
}

async function standing(names: ReadonlySet<string>): Promise<string> {
  const all = await Promise.all([...names].map((name) => get(`${sets}/${name}`)))
  return JSON.stringify(
    all.map((one) => [one?.metadata?.name, one?.status]),
    null,
    1,
  )
}

/** From nothing to the second commit. */
async function played(): Promise<ReadonlyMap<string, Told>> {
  const first = git.commit(
    'first',
    filesOf(({ files }) => files),
  )
  apply(gitRepository('infra', `${http.origin}/infra.git`))
  const common: Fields = { targetNamespace: 'scenarios', interval: '10m', retryInterval: '10s' }
  apply(
    ...scenarios.map(({ name, spec }) =>
      kustomization(name, { path: `./${name}`, ...common, ...spec }),
    ),
  )
  await rest(first)
  const second = git.commit(
    'second',
    filesOf(({ next }) => next),
  )
  const ended = await rest(second)
  const all = await get(events)
  const pairs = await Promise.all(
    scenarios.map(async ({ name }) => {
      return [name, told(ended.get(name) ?? (await get(`${sets}/${name}`)), all.items)] as const
    }),
  )
  return new Map(pairs)
}

async function cleared(): Promise<void> {
  const from = ['delete', '-n', 'flux-system', '--wait=false', '--all']
  kube.kubectl([...from, 'kustomization'])
  await waitFor(async () => (await get(sets)).items.length === 0, 180_000)
  kube.kubectl([...from, 'gitrepository'])
  await waitFor(async () => (await get(gits)).items.length === 0)
  kube.kubectl([...from, 'events'])
  for (const space of ['scenarios', 'other']) {
    const made = 'configmap,deployment,secret,pvc'
    kube.kubectl(['delete', '-n', space, made, '--all', '--wait=false'])
  }
}

let theirs: ReadonlyMap<string, Told>
let ours: ReadonlyMap<string, Told>

void test(
  'Flux itself comes to rest with every scenario',
  { skip: skipFlux, timeout: 900_000 },
  async () => {
    const controller = await startFluxController(kube, 'kustomize-controller', [
      `--events-addr=${eventsAddress}`,
      '--requeue-dependency=5s',
    ])
    try {
      theirs = await played()
      show('Flux', theirs)
      await assert.rejects(
        serving.start(['--kube', '--listen', new URL(serving.url).host]),
        /Flux's kustomize-controller is at work/,
      )
      await cleared()
    } catch (error) {
      throw new Error(`with Flux, whose log ends so:\n${controller.log().slice(-6000)}`, {
        cause: error,
      })
    } finally {
      await controller.stop()
    }
  },
)

void test(
  'Tend comes to rest with every scenario, on the artifacts of source-controller',
  { skip, timeout: 900_000 },
  async () => {
    await serving.start(['--kube', '--listen', new URL(serving.url).host])
    ours = await played()
    show('Tend', ours)
    const infra = await get(
      '/apis/source.toolkit.fluxcd.io/v1/namespaces/flux-system/gitrepositories/infra',
    )
    assert.equal(JSON.stringify(infra.metadata.managedFields).includes('source-controller'), true)
    assert.match(infra.status.artifact.url, /\/gitrepository\/flux-system\/infra\//)
  },
)

for (const { name } of scenarios) {
  void test(
    `${name}: conditions, inventory, revisions and events are Flux's`,
    { skip: skipFlux },
    () => {
      const [their, our] = [theirs.get(name), ours.get(name)]
      assert.ok(their !== undefined && our !== undefined)
      for (const part of ['conditions', 'inventory', 'fields', 'events'] as const) {
        assert.deepEqual(our[part], their[part], part)
      }
    },
  )
}

void test(
  'an Alert of the notification controller hears of what Tend does',
  { skip: skipAlerts },
  async () => {
    const heard = () => alerts.seen.map(({ body }): Live => JSON.parse(body))
    const from = alerts.seen.length
    const commit = git.commit('third', {
      'ready/a.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata: { key: three }\n',
    })
    kube.kubectl([
      'annotate',
      '-n',
      'flux-system',
      '--overwrite',
      'gitrepository',
      'infra',
      `reconcile.fluxcd.io/requestedAt=${commit}`,
    ])
    await waitFor(() =>
      heard()
        .slice(from)
        .some(
          ({ message, metadata, involvedObject }) =>
            message === 'ConfigMap/scenarios/a configured' &&
            metadata.revision === `main@sha1:${commit}` &&
            involvedObject.name === 'ready',
        ),
    )
  },
)
