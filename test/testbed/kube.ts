/** A real control plane of its own in a scratch folder, on loopback alone: several live side by side, and nothing is left of one that was stopped. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { openSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeKubeCertificates, type KubeCertificates } from './kube-certificates.ts'
import { kubeletWords, nodeOf, podLogs } from './kube-nodes.ts'
import { stages } from './kube-stages.ts'
import { sweepKube, takeKubeScratch } from './kube-scratch.ts'
import { kubeTool } from './kube-tools.ts'
import { whereIs } from './packages.ts'
import { freePort } from './port.ts'

export type TestKube = {
  /** A file whose user may do everything, by a certificate. */
  readonly kubeconfig: string
  readonly server: string
  readonly port: number
  /** Of the authority. */
  readonly ca: string
  /** Another user who may do everything. */
  readonly token: string
  /** The scratch folder. */
  readonly root: string
  /** What kubectl prints. */
  kubectl(words: readonly string[], input?: string): string
  /** A call as that user, for what a test needs beside what it tests. */
  ask(method: string, path: string, body?: unknown): Promise<KubeAnswer>
  /** Nodes on which pods become Ready without running anything. */
  addNodes(count: number): Promise<void>
  /** Kills the API server; what it kept is there when it starts again, on the same port. */
  stopServer(): Promise<void>
  startServer(): Promise<void>
  /** Lets its database, the whole of its memory, answer nothing, and answer again. */
  pauseDatabase(): void
  resumeDatabase(): void
  stop(): Promise<void>
}

export type KubeAnswer = { readonly status: number; readonly body: unknown }

export type TestKubeOptions = {
  /** API server and database alone: nothing is scheduled, no account has a token, nothing follows its owner. */
  readonly isBare?: boolean
  /** Further words for the API server. */
  readonly serverWords?: readonly string[]
  /** What every container of every pod wrote: the nodes give it to who may read logs. */
  readonly podLines?: readonly string[]
}

const token = 'only-for-tests'

export async function startKube(options: TestKubeOptions = {}): Promise<TestKube> {
  const root = takeKubeScratch()
  const children = new Map<string, ChildProcess>()
  const port = await freePort()
  const database = await freePort()
  const peer = await freePort()
  const certificates = makeKubeCertificates(join(root, 'pki'))
  const server = `https://127.0.0.1:${port}`
  const kubeconfig = join(root, 'kubeconfig')
  writeFileSync(kubeconfig, kubeconfigText(server, certificates))
  const kubelet = options.podLines && { port: await freePort(), lines: options.podLines }
  writeFileSync(join(root, 'stages.yaml'), stages + (kubelet ? podLogs(root, kubelet.lines) : ''))
  writeFileSync(join(root, 'tokens'), `${token},root,root,system:masters\n`)
  const ca = readFileSync(certificates.ca, 'utf8')

  function start(name: string, program: string, words: readonly string[]): void {
    const output = openSync(join(root, `${name}.log`), 'a')
    children.set(name, spawn(program, words, { stdio: ['ignore', output, output] }))
  }

  function check(name: string): void {
    const child = children.get(name)
    if (child === undefined || (child.exitCode === null && child.signalCode === null)) return
    const log = readFileSync(join(root, `${name}.log`), 'utf8')
    throw new Error(`${name} ended:\n${log.slice(-3000)}`)
  }

  async function kill(name: string): Promise<void> {
    const child = children.get(name)
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }

  async function startServer(): Promise<void> {
    const words = serverWords(root, port, database, certificates, options)
    start('kube-apiserver', kubeTool('kube-apiserver'), words)
    await until(
      'the API server is ready',
      () => check('kube-apiserver'),
      async () => {
        const { status } = await ask('GET', '/readyz')
        return status === 200
      },
    )
  }

  const ask = (method: string, path: string, body?: unknown) => call(port, ca, method, path, body)

  function kubectl(words: readonly string[], input?: string): string {
    const all = ['--kubeconfig', kubeconfig, ...words]
    const env = { ...process.env, HOME: root, KUBECACHEDIR: join(root, 'kubectl') }
    return execFileSync(kubeTool('kubectl'), all, { encoding: 'utf8', env, input: input ?? '' })
  }

  async function addNodes(count: number): Promise<void> {
    const names = Array.from({ length: count }, (_, index) => `node-${index}`)
    for (const name of names) await ask('POST', '/api/v1/nodes', nodeOf(name, kubelet?.port))
    await until(
      `${count} nodes are ready`,
      () => check('kwok'),
      async () => {
        const { body } = await ask('GET', '/api/v1/nodes')
        return (
          (
            JSON.stringify(body).match(
              /"type":"Ready","status":"True"|"status":"True"[^}]*"type":"Ready"/g,
            ) ?? []
          ).length >= count
        )
      },
    )
  }

  start('etcd', whereIs('etcd') ?? 'etcd', databaseWords(root, database, peer))
  process.once('exit', () => sweepKube(root))
  await startServer()
  if (options.isBare !== true) {
    for (const [name, words] of controllers(root, kubeconfig, certificates, kubelet?.port)) {
      start(name, kubeTool(name), words)
    }
    await until(
      'accounts are made',
      () => check('kube-controller-manager'),
      async () => {
        const path = '/api/v1/namespaces/default/serviceaccounts/default'
        return (await ask('GET', path)).status === 200
      },
    )
  }

  async function stop(): Promise<void> {
    resumeDatabase()
    for (const name of [...children.keys()].toReversed()) await kill(name)
    sweepKube(root)
  }
  const pauseDatabase = () => {
    const etcd = children.get('etcd')
    etcd?.kill('SIGSTOP')
    // it stops at its next turn, and may answer until then
    while (etcd !== undefined && !isStopped(etcd.pid)) continue
  }
  const resumeDatabase = () => void children.get('etcd')?.kill('SIGCONT')
  const stopServer = () => kill('kube-apiserver')
  return {
    kubeconfig,
    server,
    port,
    ca,
    token,
    root,
    kubectl,
    ask,
    addNodes,
    stopServer,
    startServer,
    pauseDatabase,
    resumeDatabase,
    stop,
  }
}

function isStopped(pid: number | undefined): boolean {
  return / [TtZ] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/, ''))
}

function databaseWords(root: string, port: number, peer: number): readonly string[] {
  const [client, between] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peer}`]
  return [
    ['--data-dir', join(root, 'etcd')],
    ['--listen-client-urls', client, '--advertise-client-urls', client],
    ['--listen-peer-urls', between, '--initial-advertise-peer-urls', between],
    ['--initial-cluster', `default=${between}`],
  ].flat()
}

function serverWords(
  root: string,
  port: number,
  database: number,
  { ca, server, accountKey, accountPublicKey }: KubeCertificates,
  { isBare, serverWords: more = [] }: TestKubeOptions,
): readonly string[] {
  return [
    `--etcd-servers=http://127.0.0.1:${database}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${port}`,
    `--cert-dir=${join(root, 'server')}`,
    `--tls-cert-file=${server.cert}`,
    `--tls-private-key-file=${server.key}`,
    `--client-ca-file=${ca}`,
    `--token-auth-file=${join(root, 'tokens')}`,
    `--service-account-key-file=${accountPublicKey}`,
    `--service-account-signing-key-file=${accountKey}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    '--service-cluster-ip-range=10.0.0.0/24',
    '--authorization-mode=Node,RBAC',
    // Debian's etcd can't stream lists: programs that are refused it only there come to what they want after growing pauses
    '--feature-gates=WatchList=false',
    ...(isBare === true ? ['--disable-admission-plugins=ServiceAccount'] : []),
    ...more,
  ]
}

function controllers(
  root: string,
  kubeconfig: string,
  { ca, accountKey, server }: KubeCertificates,
  kubelet: number | undefined,
) {
  const common = [`--kubeconfig=${kubeconfig}`]
  const quiet = [...common, '--leader-elect=false', '--secure-port=0', `--cert-dir=${root}/certs`]
  const accounts = [`--service-account-private-key-file=${accountKey}`, `--root-ca-file=${ca}`]
  return [
    [
      'kube-controller-manager',
      // as one user: with an account for each controller a cluster is ready only after twice the time
      [...quiet, ...accounts, '--node-monitor-grace-period=24h'],
    ],
    ['kube-scheduler', [`--kubeconfig=${kubeconfig}`, ...quiet.slice(1)]],
    [
      'kwok',
      [
        ...common,
        `--config=${join(root, 'stages.yaml')}`,
        '--manage-all-nodes=true',
        '--node-lease-duration-seconds=0',
        ...(kubelet === undefined ? [] : kubeletWords(kubelet, server)),
      ],
    ],
  ] as const
}

function kubeconfigText(server: string, { ca, admin }: KubeCertificates): string {
  return `apiVersion: v1
kind: Config
current-context: test
contexts: [{ name: test, context: { cluster: test, user: admin } }]
clusters: [{ name: test, cluster: { server: '${server}', certificate-authority: '${ca}' } }]
users:
- { name: admin, user: { client-certificate: '${admin.cert}', client-key: '${admin.key}' } }
`
}

async function until(what: string, check: () => void, isSo: () => Promise<boolean>): Promise<void> {
  for (let waited = 0; waited < 120_000; waited += 100) {
    if (await isSo().catch(() => false)) return
    check()
    await sleep(100)
  }
  throw new Error(`two minutes went by, but not: ${what}`)
}

function call(
  port: number,
  ca: string,
  method: string,
  path: string,
  content: unknown,
): Promise<KubeAnswer> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const options = { host: '127.0.0.1', port, ca, method, path, headers, agent: false }
    const asked = request(options, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: parsed(text) }))
    })
    asked.on('error', reject)
    asked.end(content === undefined ? undefined : JSON.stringify(content))
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
