/** Nodes where nothing runs: how large they say they are, and what the containers of their pods are told to have written. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KubeCertificates } from './kube-certificates.ts'

/** `kubelet`: the port on which kwok answers in the name of every node. */
export function nodeOf(name: string, kubelet?: number): unknown {
  const size = { cpu: '32', memory: '256Gi', pods: '1000' }
  const metadata = { name, labels: { 'kubernetes.io/hostname': name, type: 'kwok' } }
  const reached = kubelet !== undefined && {
    addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
    daemonEndpoints: { kubeletEndpoint: { Port: kubelet } },
  }
  const status = { allocatable: size, capacity: size, ...reached }
  return { kind: 'Node', apiVersion: 'v1', metadata, status }
}

export function kubeletWords(port: number, { cert, key }: KubeCertificates['server']) {
  return [
    `--server-address=127.0.0.1:${port}`,
    `--tls-cert-file=${cert}`,
    `--tls-private-key-file=${key}`,
  ]
}

/** In the form that container runtimes write; for kwok's configuration. */
export function podLogs(root: string, lines: readonly string[]): string {
  const file = join(root, 'pods.log')
  const at = Date.now() - lines.length * 1000
  const written = lines.map(
    (line, index) => `${new Date(at + index * 1000).toISOString()} stdout F ${line}\n`,
  )
  writeFileSync(file, written.join(''))
  return `---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: ClusterLogs
metadata: { name: everywhere }
spec:
  logs: [{ logsFile: '${file}', follow: true }]
`
}
