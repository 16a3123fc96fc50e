/** A cluster with Flux's two kinds, a Git repository over HTTP, and the real `tend serve --kube` between them. */
import { spawn, type SpawnOptionsWithoutStdio } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gitBench, type Bench } from './git.ts'
import { startGitHttp, type GitHttp } from './git-http.ts'
import { kubeTool } from './kube-tools.ts'
import { startKube, type TestKube } from './kube.ts'
import { startKubeFaults, type KubeFaults } from './kube-faults.ts'
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
  /** What happens to its calls; they pass where none were asked for. */
  readonly faults: KubeFaults | undefined
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
  /** Commits, and has the source asked at once, as a webhook would. Gives the commit. */
  readonly push: (message: string, files: Readonly<Record<string, string | null>>) => string
  stop(): Promise<void>
}

export const sets = '/apis/kustomize.toolkit.fluxcd.io/v1/namespaces/flux-system/kustomizations'
export const gits = '/apis/source.toolkit.fluxcd.io/v1/namespaces/flux-system/gitrepositories'
export const maps = '/api/v1/namespaces/default/configmaps'

export type WorldOptions = {
  /** It acts as the account that `tend kube install` made, as its pod would: by token, authority and address. */
  readonly isAccount?: boolean
  /** It speaks to the cluster through what makes calls fail. */
  readonly hasFaults?: boolean
  readonly installWords?: readonly string[]
  /** The Tend that serves; from source, unless told. */
  readonly program?: string
  readonly environment?: Readonly<Record<string, string>>
}

export async function fluxWorld(options: WorldOptions = {}): Promise<FluxWorld> {
  const kube = await startKube()
  await kube.addNodes(2)
  const git = gitBench()
  const http = await startGitHttp({ folder: git.folder })
  const home = {
    HOME: kube.root,
    KUBECACHEDIR: join(kube.root, 'kubectl'),
    ...options.environment,
  }
  const account = join(kube.root, 'account')
  const faults = options.hasFaults === true ? await startKubeFaults(kube) : undefined
  const serving = await servingOn(
    options.isAccount === true
      ? {
          ...home,
          KUBECONFIG: '',
          TEND_ACCOUNT_FOLDER: account,
          KUBERNETES_SERVICE_HOST: '127.0.0.1',
          KUBERNETES_SERVICE_PORT: String(kube.port),
        }
      : { ...home, KUBECONFIG: faults === undefined ? kube.kubeconfig : writeFaulty(kube, faults) },
    options.program,
  )
  const url = `${http.origin}/infra.git`

  function apply(...objects: readonly unknown[]): void {
    const list = { apiVersion: 'v1', kind: 'List', items: objects }
    kube.kubectl(['apply', '-f', '-'], JSON.stringify(list))
  }

  const words = options.installWords ?? []
  const line = ['kube', 'install', '--kubeconfig', kube.kubeconfig, ...words].join(' ')
  const installed = await serving.tend(line)
  if (installed.code !== 0) throw new Error(`${installed.out}${installed.err}`)
  if (options.isAccount === true) await writeAccount(kube, account)
  apply(volume)

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
    faults,
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
    push(message, files) {
      const commit = git.commit(message, files)
      const at = `reconcile.fluxcd.io/requestedAt=${commit}`
      const meant = ['-n', 'flux-system', '--overwrite', '--all', 'gitrepository', at]
      kube.kubectl(['annotate', ...meant])
      return commit
    },
    async stop() {
      await serving.remove()
      faults?.stop()
      await http.stop()
      git.remove()
      await kube.stop()
    },
  }
}

/** Nothing makes volumes here. */
const volume = {
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'tend' },
  spec: {
    accessModes: ['ReadWriteOnce'],
    capacity: { storage: '1Gi' },
    hostPath: { path: '/nonexistent' },
  },
}

function writeFaulty({ root, token }: TestKube, { port }: KubeFaults): string {
  const file = join(root, 'faulty')
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'faulty',
    contexts: [{ name: 'faulty', context: { cluster: 'faulty', user: 'faulty' } }],
    clusters: [{ name: 'faulty', cluster: { server: `http://127.0.0.1:${port}` } }],
    users: [{ name: 'faulty', user: { token } }],
  }
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 })
  return file
}

/** What a pod of that account finds in its folder. */
async function writeAccount(kube: TestKube, folder: string): Promise<void> {
  const path = '/api/v1/namespaces/flux-system/serviceaccounts/tend/token'
  const { body } = await kube.ask('POST', path, { spec: { expirationSeconds: 3600 } })
  const { status }: Live = body
  mkdirSync(folder)
  writeFileSync(join(folder, 'token'), status.token)
  writeFileSync(join(folder, 'ca.crt'), kube.ca)
  writeFileSync(join(folder, 'namespace'), 'flux-system')
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
  key: ${/^\d/.test(value) ? `'${value}'` : value}
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
