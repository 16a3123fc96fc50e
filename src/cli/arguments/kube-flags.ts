/** Flags of the verbs that speak to a cluster. */
import type { Flag } from './flags.ts'

export const kubeFlags = [
  {
    name: 'kube',
    kind: 'switch',
    help: "follow Flux's objects of a cluster: that of the kubeconfig, or the one it runs in",
  },
  {
    name: 'kubeconfig',
    kind: 'text',
    takes: 'FILE',
    help: 'the kubeconfig (KUBECONFIG, ~/.kube/config, else the cluster it runs in)',
  },
  { name: 'context', kind: 'text', takes: 'NAME', help: 'the context of the kubeconfig' },
  {
    name: 'all-namespaces',
    short: 'A',
    kind: 'switch',
    help: 'of all namespaces',
  },
  { name: 'tenants', kind: 'switch', help: 'no rights of its own: only those of service accounts' },
  { name: 'export', kind: 'switch', help: 'print the manifests and apply nothing' },
  {
    name: 'kinds',
    kind: 'switch',
    help: "only Flux's kinds: for a tend serve outside the cluster",
  },
  { name: 'image', kind: 'text', takes: 'IMAGE', help: 'the image of Tend' },
  { name: 'path', kind: 'text', takes: 'FOLDER', help: 'files of this machine in place of Git' },
] as const satisfies readonly Flag[]

export type KubeFlags = {
  /** One of --kube, --kubeconfig and --context was given. */
  readonly isAsked: boolean
  readonly kubeconfig: string | undefined
  readonly context: string | undefined
  readonly ofAllNamespaces: boolean
  readonly hasTenants: boolean
  readonly exports: boolean
  readonly onlyKinds: boolean
  readonly image: string | undefined
  readonly path: string | undefined
}

type KubeFlagName = (typeof kubeFlags)[number]['name']

type Readers = {
  readonly text: (name: KubeFlagName) => string | undefined
  readonly isOn: (name: KubeFlagName) => boolean
}

export function kubeFlagsOf({ text, isOn }: Readers): KubeFlags {
  const kubeconfig = text('kubeconfig')
  const context = text('context')
  return {
    isAsked: isOn('kube') || kubeconfig !== undefined || context !== undefined,
    kubeconfig,
    context,
    ofAllNamespaces: isOn('all-namespaces'),
    hasTenants: isOn('tenants'),
    exports: isOn('export'),
    onlyKinds: isOn('kinds'),
    image: text('image'),
    path: text('path'),
  }
}
