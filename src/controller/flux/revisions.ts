/** Revisions in the words of the source that a Kustomization names: `main@sha1:…`. */
import { readSpec } from '#domains/kustomizations/spec.ts'
import type { Controller } from '../open-service.ts'
import { sourceKeyOf } from './declare.ts'
import type { FluxObject } from './kinds.ts'
import type { Informer } from './informer.ts'
import { revisionFor, type RepositoryRead } from './repository.ts'

type RevisionParts = {
  readonly service: Pick<Controller, 'tagOf'>
  readonly gits: Pick<Informer, 'objects'>
  readonly reads: () => ReadonlyMap<string, RepositoryRead>
  /** Of an artifact that source-controller made. */
  readonly announced: (revision: string) => string | undefined
}

export type Revisions = (one: FluxObject) => (revision: string) => string

export function revisionsOf({ service, gits, reads, announced }: RevisionParts): Revisions {
  return (one) => {
    const key = sourceKeyOf(one, readSpec(one.spec).spec)
    const read = reads().get(key)
    const tag = read !== undefined && 'source' in read ? service.tagOf(read.source) : undefined
    const git = gits.objects.get(key)
    return (revision) => announced(revision) ?? revisionFor(one, git, revision, tag)
  }
}
