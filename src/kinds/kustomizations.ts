/** Kustomizations: Kubernetes manifests, applied to a cluster. They are run by whoever follows the objects of that cluster. */
import type { ApplicationKind } from '#model/application-kind.ts'
import type { KustomizationRequest, KustomizationTask } from './kustomizations/request.ts'

/** An annotation on a Kustomization. Its value is the revision that it allows: removals of any other revision are guarded again. */
export const removalAnnotation = 'tend/allow-mass-delete'

export const kustomizations: ApplicationKind = {
  name: 'kustomization',
  words: {
    title: 'Set',
    plural: 'kustomizations',
    argument: ({ namespace, name }) => `kustomization/${namespace}/${name}`,
  },
  objects: {
    allowRemoval: ({ namespace, name }, revision) =>
      `annotate it: kubectl -n ${namespace} annotate kustomization ${name} --overwrite ${removalAnnotation}=${revision.slice(0, 12)}`,
  },
  declaration: async () =>
    (await import('#kinds/kustomizations/declaration.ts')).kustomizationDeclaration,
  async render(request: KustomizationRequest) {
    const { renderKustomizationRequest } = await import('#kinds/kustomizations/render.ts')
    return renderKustomizationRequest(request)
  },
  async perform(task: KustomizationTask) {
    const { performTask } = await import('#kinds/kustomizations/render.ts')
    return performTask(task)
  },
}
