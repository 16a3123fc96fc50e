/** Stands in for Portainer's agent in a cluster without a kubelet: does with the applied objects what the real one does first. */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { kubeTool } from './kube-tools.ts'
import type { PortainerStandIn } from './portainer-stand-in.ts'

/** `read`: an object of the namespace portainer-edge; undefined: there is none. */
export type ReadObject = (kind: string, name: string) => unknown

type Environment = { readonly name: string; readonly value?: string }

/**
 * One start and one call. As the real one it ends at once where AGENT_CLUSTER_ADDR does not resolve: a headless Service must select
 * its pod. What ended it is thrown.
 */
export async function startAgent(portainer: string, read: ReadObject): Promise<void> {
  const deployment = objectOf(await read('deployment', 'portainer-edge-agent'))
  const { template } = deployment.spec
  const environment: readonly Environment[] = template.spec.containers[0].env
  const address = environment.find(({ name }) => name === 'AGENT_CLUSTER_ADDR')?.value ?? ''
  const service = await read('service', address)
  if (service === undefined) {
    throw new Error(
      `FTL unable to retrieve a list of IP associated to the host error="lookup ${address}: no such host"`,
    )
  }
  const { selector, clusterIP } = objectOf(service).spec
  const labels = template.metadata.labels
  const isSelected = Object.entries(selector).every(([key, value]) => labels[key] === value)
  if (clusterIP !== 'None' || !isSelected) throw new Error(`FTL ${address} leads elsewhere`)
  const { data } = objectOf(await read('secret', 'portainer-edge-creds'))
  const decoded = (key: string): string => Buffer.from(data[key], 'base64').toString()
  const id =
    decoded('edge-key').length === 0
      ? ''
      : Buffer.from(decoded('edge-key'), 'base64').toString().split('|')[3]
  const status = await statusOf(`${portainer}/api/endpoints/${id}/edge/status`, decoded('edge-id'))
  if (status !== 200) throw new Error(`ERR an error occurred during short poll: ${status}`)
}

// oxlint-disable-next-line typescript/no-explicit-any
function objectOf(value: unknown): any {
  if (typeof value !== 'object' || value === null) throw new Error('there is no such object')
  return value
}

function statusOf(url: string, edgeId: string): Promise<number> {
  const headers = { 'X-PortainerAgent-EdgeID': edgeId, 'X-PortainerAgent-Platform': '3' }
  return new Promise((done, fail) => {
    get(url, { headers }, (answer) => {
      answer.resume()
      answer.on('end', () => done(answer.statusCode ?? 0))
    }).on('error', fail)
  })
}

/** Agents in all clusters that kubeconfig files are kept of, until the signal: each calls once it can. */
export async function keepAgents(
  portainer: PortainerStandIn,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const files = existsSync(folder) ? readdirSync(folder) : []
    for (const file of files.filter((name) => name.endsWith('.yaml'))) {
      const found = portainer.endpoints.find(({ Name }) => `${Name}.yaml` === file)
      if (found === undefined || found.Heartbeat) continue
      const read = (kind: string, name: string): Promise<unknown> =>
        objectIn(join(folder, file), kind, name)
      await startAgent(portainer.url, read).catch(() => undefined)
    }
    await sleep(200)
  }
}

async function objectIn(kubeconfig: string, kind: string, name: string): Promise<unknown> {
  const words = ['--kubeconfig', kubeconfig, '-n', 'portainer-edge', 'get', kind, name]
  const more = ['-o', 'json', '--ignore-not-found', '--request-timeout', '5s']
  const { stdout } = await promisify(execFile)(kubeTool('kubectl'), [...words, ...more])
  const parsed: unknown = stdout.trim() === '' ? undefined : JSON.parse(stdout)
  return parsed
}
