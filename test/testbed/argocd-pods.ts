/** Stands in for the node that Argo CD runs on, where nothing runs pods: its controller counts as running, and what the fleet sends to try ways is run for real. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { TestKube } from './kube.ts'

export type ArgoPods = {
  /** Pods that were sent and ended, with what they said. */
  readonly said: string[]
  /** Argo CD itself goes. */
  leave(): void
  close(): Promise<void>
}

type Pod = {
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly nodeName: string
    readonly containers: readonly { readonly image: string; readonly command: readonly string[] }[]
  }
  readonly status: { readonly phase: string }
}

const controller = 'argocd-application-controller-0'
const image = 'quay.io/argoproj/argocd:v3.5.1'
const pods = '/api/v1/namespaces/argocd/pods'

/** `enter`: what is put before the command, so that it runs in the network of a node. */
export async function argoPods(
  kube: Pick<TestKube, 'ask' | 'kubectl'>,
  enter: readonly string[] = [],
): Promise<ArgoPods> {
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'argocd-node' } }
  await kube.ask('POST', '/api/v1/nodes', node)
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } }
  // where no controller makes one; a second one is refused, and that is fine
  await kube.ask('POST', '/api/v1/namespaces/argocd/serviceaccounts', account)
  const labels = {
    'app.kubernetes.io/part-of': 'argocd',
    'app.kubernetes.io/name': 'argocd-application-controller',
  }
  const containers = [{ name: 'controller', image }]
  const spec = { nodeName: 'argocd-node', automountServiceAccountToken: false, containers }
  const metadata = { name: controller, labels }
  const made = await kube.ask('POST', pods, { apiVersion: 'v1', kind: 'Pod', metadata, spec })
  if (made.status !== 201) throw new Error(`no pod of Argo CD: ${JSON.stringify(made.body)}`)
  setStatus(kube, controller, { phase: 'Running' })

  const said: string[] = []
  const ending = new AbortController()
  const done = new Set<string>()
  async function work(): Promise<void> {
    while (!ending.signal.aborted) {
      const { body } = await kube.ask('GET', `${pods}?labelSelector=tend-fleet`)
      for (const pod of podsIn(body)) {
        if (done.has(pod.metadata.name)) continue
        done.add(pod.metadata.name)
        said.push(await ran(pod, enter))
        const terminated = { exitCode: 0, reason: 'Completed', message: said.at(-1) }
        const status = { name: 'reach', image, imageID: '', ready: false, restartCount: 0 }
        const containerStatuses = [{ ...status, state: { terminated } }]
        setStatus(kube, pod.metadata.name, { phase: 'Succeeded', containerStatuses })
      }
      await sleep(50)
    }
  }
  const working = work()
  return {
    said,
    leave: () =>
      void kube.kubectl(['-n', 'argocd', 'delete', 'pod', controller, '--force', '--wait=true']),
    async close() {
      ending.abort()
      await working
    },
  }
}

// oxlint-disable-next-line typescript/no-explicit-any
function podsIn(body: any): readonly Pod[] {
  return body?.items ?? []
}

function setStatus(kube: Pick<TestKube, 'kubectl'>, name: string, status: unknown): void {
  const words = ['-n', 'argocd', 'patch', 'pod', name, '--subresource=status', '--type=merge']
  kube.kubectl([...words, '-p', JSON.stringify({ status })])
}

/** As a node does: only with an image that is there, and with a file of its own for what the pod says at its end. */
async function ran({ spec }: Pod, enter: readonly string[]): Promise<string> {
  const [container] = spec.containers
  if (container?.image !== image || spec.nodeName !== 'argocd-node') return ''
  const folder = mkdtempSync(join(tmpdir(), 'tend-argocd-'))
  const file = join(folder, 'termination-log')
  writeFileSync(file, '')
  try {
    const command = container.command.map((word) => word.replaceAll('/dev/termination-log', file))
    const [program = '', ...words] = [...enter, ...command]
    await promisify(execFile)(program, words)
    return readFileSync(file, 'utf8')
  } finally {
    rmSync(folder, { recursive: true })
  }
}
