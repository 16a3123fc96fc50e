/** Argo CD's ApplicationSet as a registration: one Application for each Secret of ours, and none left for clusters that are gone. */
import { recordOf, recordsOf, textMapOf, textOf } from '#model/read-json.ts'
import type { Kubernetes } from '#clients/kubernetes/client.ts'
import { hashOf, isList, isRecord, type Json, type JsonRecord } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import type { Registration, SeenRegistration, WantedRegistration } from './registration.ts'
import { applyAll, fleetLabel, object, refuseStrange, removeAll } from './objects-in-cluster.ts'

type SetInput = {
  readonly management: Kubernetes
  readonly namespace: string
  readonly fleet: string
  readonly set: {
    readonly name: string
    readonly repository: string
    readonly path: string
    readonly project: string
    /** Where applications are put in their cluster. */
    readonly namespace: string
    readonly parameters: Readonly<Record<string, string>>
  }
}

const group = '/apis/argoproj.io/v1alpha1'

/** What an ApplicationSet is made from; the rest of the input is the way to it. */
export type WantedSetInput = Omit<SetInput, 'management'>

/** One for all clusters, so it is a fixture: its name has a dot, which no cluster's has. */
export function wantedApplicationSet(input: WantedSetInput): WantedRegistration {
  const fixture = `${input.set.name}.yaml`
  return {
    kind: 'applicationset',
    noun: 'Argo CD application set',
    shared: new Map([[fixture, { hash: hashOf(setOf(input)) }]]),
    wanted: () => undefined,
    needs: () => [],
  }
}

/** Argo CD makes them: nothing is wanted of them but that those of gone clusters go. */
export function wantedApplications(): WantedRegistration {
  return {
    kind: 'application',
    noun: 'Argo CD application',
    wanted: () => undefined,
    needs: () => [],
  }
}

export function applicationSetRegistration(input: SetInput): Registration {
  const { management, namespace, set } = input
  const path = `${group}/namespaces/${namespace}/applicationsets/${set.name}`
  const fixture = `${set.name}.yaml`
  const body = setOf(input)
  const wanted = { hash: hashOf(body) }
  return {
    ...wantedApplicationSet(input),
    async list(_wanted, signal) {
      const doing = `could not read the ApplicationSet ${namespace}/${set.name}`
      const found = new Map<string, SeenRegistration>()
      const live = await read(management, path, doing, signal)
      if (live === undefined) return found
      const isSame = holds(live, body)
      found.set(fixture, { spec: isSame ? wanted : { hash: hashOf(live['spec'] ?? null) } })
      return found
    },
    async put(_name, _spec, { signal }) {
      const doing = `could not apply the ApplicationSet ${namespace}/${set.name}`
      await refuseStrange(management, path, input.fleet, doing, signal)
      await applyAll(management, [[path, body]], doing, signal)
    },
    remove: (_name, { signal }) => removeAll(management, [path], 'could not remove it', signal),
  }
}

/** Argo CD makes these Applications itself: only those of clusters that are to go are read, and removed without what they deployed. */
export function applicationsRegistration(
  { management, namespace, fleet, set }: SetInput,
  kept: ReadonlySet<string>,
): Registration {
  const all = `${group}/namespaces/${namespace}/applications`
  async function clusters(signal: AbortSignal): Promise<readonly string[]> {
    const doing = `could not list the Applications of ${namespace}`
    const query = { labelSelector: `${fleetLabel}=${fleet}` }
    const said = await management.ask('GET', all, { query, signal, doing, fine: [404] })
    if (said.status === 404) throw noCrds(namespace)
    return recordsOf(recordOf(said.body)['items']).map(({ metadata }) => {
      return textMapOf(recordOf(metadata)['labels'])['env'] ?? ''
    })
  }
  return {
    ...wantedApplications(),
    async list(_wanted, signal) {
      const gone = (await clusters(signal)).filter((name) => name !== '' && !kept.has(name))
      return new Map(gone.map((name) => [name, { spec: { application: name } }]))
    },
    async lacks(signal) {
      const there = new Set(await clusters(signal))
      const without = [...kept].filter((name) => !there.has(name))
      return without.map((name) => `Argo CD has made no ${set.name}-${name} yet`)
    },
    put: async () => undefined,
    async remove(name, { signal }) {
      const doing = `could not remove the Application of ${name}`
      await removeAll(management, [`${all}/${set.name}-${name}`], doing, signal)
    },
  }
}

async function read(
  api: Kubernetes,
  path: string,
  doing: string,
  signal: AbortSignal,
): Promise<JsonRecord | undefined> {
  const said = await api.ask('GET', path, { signal, doing, fine: [404] })
  if (said.status !== 404) return recordOf(said.body)
  if (textOf(recordOf(said.body)['reason']) === 'NotFound') return undefined
  throw noCrds(path.split('/')[5] ?? '')
}

function noCrds(namespace: string): Problem {
  return new Problem({
    type: 'runtime',
    code: 'not_possible_here',
    message: `the management cluster does not know ApplicationSets: Argo CD is not installed for ${namespace}`,
    suggestion: 'install Argo CD there, or leave argocd.applicationSet out of fleet.yaml',
  })
}

/** Removing a cluster's Secret, or losing it for a while, never deletes what runs: neither Applications nor their workloads. */
function setOf({ namespace, fleet, set }: WantedSetInput): JsonRecord {
  const matchLabels = {
    'argocd.argoproj.io/secret-type': 'cluster',
    type: 'business',
    [fleetLabel]: fleet,
  }
  const parameters = Object.entries(set.parameters).map(([name, value]) => ({ name, value }))
  const source = {
    repoURL: set.repository,
    path: set.path,
    targetRevision: '{{.name}}',
    ...(parameters.length === 0 ? {} : { helm: { parameters } }),
  }
  const labels = { [fleetLabel]: fleet, env: '{{.name}}' }
  const template = {
    metadata: { name: `${set.name}-{{.name}}`, labels },
    spec: {
      project: set.project,
      source,
      destination: { name: '{{.name}}', namespace: set.namespace },
      syncPolicy: {
        automated: { prune: true, selfHeal: true },
        syncOptions: ['CreateNamespace=true'],
      },
    },
  }
  const spec = {
    goTemplate: true,
    goTemplateOptions: ['missingkey=error'],
    generators: [{ clusters: { selector: { matchLabels } } }],
    syncPolicy: { applicationsSync: 'create-update', preserveResourcesOnDeletion: true },
    template,
  }
  const metadata = { name: set.name, namespace, labels: { [fleetLabel]: fleet } }
  return object('argoproj.io/v1alpha1', 'ApplicationSet', metadata, { spec })
}

/** What the server adds by itself is no difference; an item more or less of a list is one. */
export function holds(live: Json | undefined, wanted: Json): boolean {
  if (isRecord<Json>(wanted)) {
    if (!isRecord<Json>(live)) return false
    return Object.entries(wanted).every(([key, value]) => holds(live[key], value))
  }
  if (isList<Json>(wanted)) {
    if (!isList<Json>(live) || live.length !== wanted.length) return false
    return wanted.every((item, index) => holds(live[index], item))
  }
  return live === wanted
}
