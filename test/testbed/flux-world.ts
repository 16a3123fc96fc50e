/** A cluster with Flux's two kinds, a Git repository over HTTP, and the real `tend serve --kube` between them. */
import { spawn, type SpawnOptionsWithoutStdio } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fluxDefinitions } from '#controller/flux/definitions.ts'
import { gitBench, type Bench } from './git.ts'
import { startGitHttp, type GitHttp } from './git-http.ts'
import { kubeTool } from './kube-tools.ts'
import { startKube, type TestKube } from './kube.ts'
import { servingOn, type Serving } from './serving.ts'

/** What the API answered, read without ceremony. */
// oxlint-disable-next-line no-explicit-any
export type Live = any

export type Fields = { readonly [name: string]: unknown }

/** `text`: both streams. */
export type Said = { readonly code: number | null; readonly text: string }

export type FluxWorld = {
  readonly kube: TestKube
  readonly git: Bench
  readonly http: GitHttp
  readonly serving: Serving
  /** Of the repository. */
  readonly url: string
  /** Starts `tend serve` on the cluster. */
  start(): Promise<void>
  /** Applies objects as a user does, with kubectl. */
  readonly apply: (...objects: readonly unknown[]) => void
  readonly get: (path: string) => Promise<Live>
  /** Waits until an object of the API is as it should be; undefined: it is not there. */
  readonly until: (path: string, isSo: (object: Live) => boolean, seconds?: number) => Promise<Live>
  /** What Flux's own command line prints, both streams. */
  readonly flux: (line: string) => Promise<Said>
  /** What a line of shell prints, with kubectl, kustomize and jq on the path, for this cluster. */
  readonly shell: (line: string) => Promise<Said>
  stop(): Promise<void>
}

export const sets = '/apis/kustomize.toolkit.fluxcd.io/v1/namespaces/flux-system/kustomizations'
export const gits = '/apis/source.toolkit.fluxcd.io/v1/namespaces/flux-system/gitrepositories'
export const maps = '/api/v1/namespaces/default/configmaps'

export async function fluxWorld(environment: Record<string, string> = {}): Promise<FluxWorld> {
  const kube = await startKube()
  await kube.addNodes(2)
  const git = gitBench()
  const http = await startGitHttp({ folder: git.folder })
  const serving = await servingOn({ KUBECONFIG: kube.kubeconfig, ...environment })
  const url = `${http.origin}/infra.git`

  function apply(...objects: readonly unknown[]): void {
    const list = { apiVersion: 'v1', kind: 'List', items: objects }
    kube.kubectl(['apply', '-f', '-'], JSON.stringify(list))
  }

  apply(...fluxDefinitions, namespace('flux-system'))
  kube.kubectl(['wait', '--for=condition=Established', '--all', '--timeout=60s', 'crd'])

  async function get(path: string): Promise<Live> {
    const { status, body } = await kube.ask('GET', path)
    return status === 404 ? undefined : body
  }

  async function until(
    path: string,
    isSo: (object: Live) => boolean,
    seconds = 120,
  ): Promise<Live> {
    let last: unknown
    for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(100)) {
      last = await get(path).catch(() => last)
      if (isSo(last)) return last
    }
    throw new Error(`not so: ${path} ${JSON.stringify(last, null, 1)}\n${serving.log()}`)
  }

  const paths = ['kubectl', 'kustomize', 'flux'] as const
  const env = { ...process.env, KUBECONFIG: kube.kubeconfig, HOME: kube.root }

  return {
    kube,
    git,
    http,
    serving,
    url,
    start: () => serving.start(['--kube', '--listen', new URL(serving.url).host]),
    apply,
    get,
    until,
    flux: (line) => run(kubeTool('flux'), line.split(' '), { env }),
    shell(line) {
      const names = paths.map((name) => `${name}() { ${kubeTool(name)} "$@"; }`)
      return run('bash', ['-c', `${names.join('\n')}\n${line}`], { env, cwd: git.work })
    },
    async stop() {
      await serving.remove()
      await http.stop()
      git.remove()
      await kube.stop()
    },
  }
}

/** Not at once: the repository is served by this very process. */
function run(
  program: string,
  words: readonly string[],
  options: SpawnOptionsWithoutStdio,
): Promise<Said> {
  const child = spawn(program, words, options)
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => (text += part))
  }
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, text })))
}

export function namespace(name: string): Fields {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
}

export function gitRepository(name: string, url: string, spec: Fields = {}): Fields {
  return {
    apiVersion: 'source.toolkit.fluxcd.io/v1',
    kind: 'GitRepository',
    metadata: { name, namespace: 'flux-system' },
    spec: { interval: '1m', url, ref: { branch: 'main' }, ...spec },
  }
}

export function kustomization(name: string, spec: Fields = {}, metadata: Fields = {}): Fields {
  const sourceRef = { kind: 'GitRepository', name: 'infra' }
  return {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name, namespace: 'flux-system', ...metadata },
    spec: { interval: '1m', path: './k8s/clusters/local', prune: true, sourceRef, ...spec },
  }
}

export function configMap(name: string, value: string): string {
  return `apiVersion: v1
kind: ConfigMap
metadata:
  name: ${name}
  namespace: default
data:
  key: ${value}
`
}

/** The status of a condition, and its reason. */
export function conditionOf(object: Live, type: string): string {
  const found = object?.status?.conditions?.find((one: Live) => one.type === type)
  return found === undefined ? '' : `${found.status} ${found.reason}`
}

export function isReady(object: Live, revision?: string): boolean {
  const ready = object?.status?.conditions?.find((one: Live) => one.type === 'Ready')
  const applied = object?.status?.lastAppliedRevision
  return (
    ready?.status === 'True' &&
    object.status.observedGeneration === object.metadata.generation &&
    (revision === undefined || applied === `main@sha1:${revision}`)
  )
}
