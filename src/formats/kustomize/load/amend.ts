/** Settings that someone lays over the kustomization that is built, as if an overlay's author had added them to the file. */
import { fail } from '../error.ts'
import type { Kustomization } from './kustomization.ts'
import type { Loader } from './loader.ts'
import { isRemoteBase, isRemoteFile } from './remote.ts'
import { noSelector, type Image, type Patch } from './settings.ts'
import type { Selector } from '../transform/selector.ts'

/** An empty text or list changes nothing. */
export type Amendments = {
  /** Instead of the kustomization's own. */
  readonly namespace?: string
  readonly namePrefix?: string
  readonly nameSuffix?: string
  readonly buildMetadata?: readonly string[]
  /** After the kustomization's own. */
  readonly patches?: readonly {
    readonly patch: string
    readonly target?: Partial<Selector> | undefined
  }[]
  readonly components?: readonly string[]
  readonly ignoresMissingComponents?: boolean
  /** Over an entry of the same name, field by field; else after the others. */
  readonly images?: readonly {
    readonly name: string
    readonly newName: string
    readonly newTag: string
    readonly digest: string
  }[]
}

export function amended(
  kustomization: Kustomization,
  amendments: Amendments,
  loader: Loader,
): Kustomization {
  const { namespace, namePrefix, nameSuffix, buildMetadata = [] } = amendments
  const patches = (amendments.patches ?? []).map(({ patch, target }): Patch => {
    return { patch, ...(target === undefined ? {} : { target: { ...noSelector, ...target } }) }
  })
  return {
    ...kustomization,
    ...(namespace ? { namespace } : {}),
    ...(namePrefix ? { namePrefix } : {}),
    ...(nameSuffix ? { nameSuffix } : {}),
    ...(buildMetadata.length === 0 ? {} : { buildMetadata }),
    patches: [...(kustomization.patches ?? []), ...patches],
    components: [...(kustomization.components ?? []), ...componentsOf(amendments, loader)],
    images: (amendments.images ?? []).reduce(withImage, kustomization.images ?? []),
  }
}

function componentsOf(amendments: Amendments, loader: Loader): readonly string[] {
  const { components = [], ignoresMissingComponents = false } = amendments
  return components.filter((path) => {
    if (path.startsWith('/') || isRemoteBase(path) || isRemoteFile(path)) {
      fail(`the component ${path} must be a relative path in the same repository`)
    }
    return !ignoresMissingComponents || loader.exists(path)
  })
}

/** Tag and digest both say which version: setting one takes the other away. */
function withImage(
  images: readonly Image[],
  added: NonNullable<Amendments['images']>[number],
): readonly Image[] {
  const { name, newName, newTag, digest } = added
  const isVersion = newTag !== '' || digest !== ''
  const at = images.findIndex((each) => each.name === name)
  if (at < 0) return [...images, { name, newName, newTag, digest }]
  return images.map((image, i) => {
    if (i !== at) return image
    return {
      ...image,
      ...(newName === '' ? {} : { newName }),
      ...(isVersion ? { newTag, digest } : {}),
    }
  })
}
