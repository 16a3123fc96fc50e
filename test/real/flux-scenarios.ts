/** What real Flux and Tend are both given: files of one repository, and a Kustomization for each scenario. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Fields } from '../testbed/flux-world.ts'

export type Scenario = {
  readonly name: string
  readonly spec: Fields
  /** Of the first commit. */
  readonly files: Readonly<Record<string, string>>
  /** Of the second one, which is pushed when all have come to rest; null: removed. */
  readonly next?: Readonly<Record<string, string | null>>
  /** How Ready ends. */
  readonly ready: 'True' | 'False' | 'none'
}

function map(name: string, data: string, more = ''): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}${more} }\ndata: { key: '${data}' }\n`
}

function deployment(name: string, image = 'nginx:1.27'): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  replicas: 1
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec: { containers: [{ name: c, image: '${image}' }] }
`
}

const claim = `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: never }
spec:
  accessModes: [ReadWriteOnce]
  storageClassName: nobody
  resources: { requests: { storage: 1Gi } }
`
const frozen = (value: string) => `${map('frozen', value)}immutable: true\n`
const component = `apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
labels: [{ pairs: { part: yes-it-is } }]
`

type Sealed = {
  readonly key: string
  readonly cases: readonly { file: string; encrypted: string }[]
}
const text = readFileSync(join(import.meta.dirname, '../conformance/cases/sops.json'), 'utf8')
const sops: Sealed = JSON.parse(text)

export const ageKey = sops.key
const sealed = sops.cases.find(({ file }) => file === 'secret.yaml')?.encrypted ?? ''

export const scenarios: readonly Scenario[] = [
  { name: 'ready', spec: {}, files: { 'a.yaml': map('a', 'one') }, ready: 'True' },
  {
    name: 'build-failed',
    spec: {},
    files: { 'kustomization.yaml': 'resources: [nowhere.yaml]\n' },
    ready: 'False',
  },
  {
    name: 'health-timeout',
    spec: { wait: true, timeout: '5s' },
    files: { 'claim.yaml': claim },
    ready: 'False',
  },
  {
    name: 'dependency',
    spec: { dependsOn: [{ name: 'nowhere' }] },
    files: { 'b.yaml': map('b', 'one') },
    ready: 'False',
  },
  { name: 'suspended', spec: { suspend: true }, files: { 'c.yaml': map('c', '1') }, ready: 'none' },
  {
    name: 'prune',
    spec: {},
    files: { 'stays.yaml': map('stays', 'one'), 'goes.yaml': map('goes', 'one') },
    next: { 'goes.yaml': null },
    ready: 'True',
  },
  {
    name: 'substitution',
    spec: { postBuild: { substitute: { word: 'filled' } } },
    files: { 'd.yaml': map('d', '${word} ${other:=usual}') },
    ready: 'True',
  },
  {
    name: 'decryption',
    spec: { decryption: { provider: 'sops', secretRef: { name: 'age' } } },
    files: { 'sealed.yaml': sealed },
    ready: 'True',
  },
  {
    name: 'target-namespace',
    spec: { targetNamespace: 'other' },
    files: { 'e.yaml': map('e', 'one') },
    ready: 'True',
  },
  {
    name: 'patches',
    spec: {
      patches: [
        { patch: '- { op: add, path: /data/more, value: patched }', target: { kind: 'ConfigMap' } },
      ],
    },
    files: { 'f.yaml': map('f', 'one') },
    ready: 'True',
  },
  {
    name: 'images',
    spec: { images: [{ name: 'nginx', newTag: '1.28' }] },
    files: { 'web.yaml': deployment('images') },
    ready: 'True',
  },
  {
    name: 'health-checks',
    spec: {
      timeout: '1m',
      healthChecks: [
        { apiVersion: 'apps/v1', kind: 'Deployment', name: 'checked', namespace: 'scenarios' },
      ],
    },
    files: { 'web.yaml': deployment('checked'), 'g.yaml': map('g', 'one') },
    ready: 'True',
  },
  {
    name: 'wait',
    spec: { wait: true, timeout: '1m' },
    files: { 'web.yaml': deployment('waited') },
    ready: 'True',
  },
  {
    name: 'force',
    spec: { force: true },
    files: { 'frozen.yaml': frozen('one') },
    next: { 'frozen.yaml': frozen('two') },
    ready: 'True',
  },
  {
    name: 'components',
    spec: { components: ['../part'] },
    files: { 'h.yaml': map('h', 'one'), '../part/kustomization.yaml': component },
    ready: 'True',
  },
]

/** Has the notification controller tell a web service of every Kustomization. */
export function alerting(address: string): readonly Fields[] {
  const apiVersion = 'notification.toolkit.fluxcd.io/v1beta3'
  const inFlux = (name: string) => ({ name, namespace: 'flux-system' })
  const eventSources = [{ kind: 'Kustomization', name: '*' }]
  return [
    {
      apiVersion,
      kind: 'Provider',
      metadata: inFlux('web'),
      spec: { type: 'generic', address },
    },
    {
      apiVersion,
      kind: 'Alert',
      metadata: inFlux('all'),
      spec: { providerRef: { name: 'web' }, eventSeverity: 'info', eventSources },
    },
  ]
}
