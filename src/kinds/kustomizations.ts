/** Kustomizations: Kubernetes manifests, applied to a cluster. */
import type { ApplicationKind } from '#model/application-kind.ts'

export const kustomizations: ApplicationKind = {
  name: 'kustomization',
  words: {
    title: 'Set',
    plural: 'kustomizations',
    argument: ({ namespace, name }) => `kustomization/${namespace}/${name}`,
  },
}
