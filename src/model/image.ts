/** Which image a container was really made from: a tag may mean another one later. */
import type { Ref } from './ref.ts'

export type PinnedImage = {
  /** As the engine names its content, without `sha256:`. */
  readonly id: string
  /** `registry/name@sha256:…`: how it can be pulled again. Absent for one that no registry has. */
  readonly digest?: string
}

export type Images = Readonly<Record<Ref, PinnedImage>>

/** Whether two runs used other images. A run that recorded none can't be told from another one by its images. */
export function haveOtherImages(one: Images | undefined, other: Images | undefined): boolean {
  return Object.entries(one ?? {}).some(([ref, { id }]) => {
    const same = other?.[ref]
    return same !== undefined && same.id !== id
  })
}
