/** Kustomizations: Kubernetes manifests, applied to a cluster. They are run by whoever follows the objects of that cluster. */
import type { ApplicationKind } from '#model/application-kind.ts'
import type { KustomizationRequest, KustomizationTask } from './kustomizations/request.ts'

export const kustomizations: ApplicationKind = {
  name: 'kustomization',
  words: {
    title: 'Set',
    plural: 'kustomizations',
    argument: ({ namespace, name }) => `kustomization/${namespace}/${name}`,
  },
  async render(request: KustomizationRequest) {
    const { renderKustomizationRequest } = await import('#kinds/kustomizations/render.ts')
    return renderKustomizationRequest(request)
  },
  async perform(task: KustomizationTask) {
    const { performTask } = await import('#kinds/kustomizations/render.ts')
    return performTask(task)
  },
}
