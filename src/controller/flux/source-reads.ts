/** What the sources of a cluster are read from: Git, or the artifact that source-controller made where it is at work. */
import { recordOf, textOf } from '#model/read-json.ts'
import type { Clock } from '#model/clock.ts'
import type { SourceKept } from '#model/declaration.ts'
import { artifactRevision } from '#sources/artifact/repository.ts'
import type { Controller } from '../open-service.ts'
import { artifactIn, isOwn, type ArtifactSources } from './artifact-sources.ts'
import type { FluxObject } from './kinds.ts'
import type { Informer } from './informer.ts'
import { readRepositories } from './read-repositories.ts'
import type { References } from './references.ts'
import type { RepositoryRead } from './repository.ts'

type SourceParts = {
  readonly service: Pick<Controller, 'branchFor' | 'ask'>
  readonly clock: Clock
  readonly gits: Informer
  readonly others: ArtifactSources
  readonly references: Pick<References, 'find'>
  /** Gets the values of Secrets, under the names by which sources ask for them. */
  readonly held: Map<string, string>
  readonly leavesSources: () => boolean
  /** Something else is to be read. */
  readonly changed: () => void
}

type SourceReads = {
  /** As Kustomizations name them. */
  now(): ReadonlyMap<string, RepositoryRead>
  /** What source-controller says of a repository changed. */
  hear(one: FluxObject | undefined): void
  /** What is announced is fetched at once. */
  ask(sources: readonly SourceKept[]): void
  /** Until the signal: other controllers come and go. */
  keep(signal: AbortSignal): Promise<void>
}

/** ms */
const nextLook = 2_000

export function sourceReadsOf(parts: SourceParts): SourceReads {
  const { service, clock, gits, others, references, held, leavesSources, changed } = parts

  /** An artifact of ours stands until source-controller made its own. */
  function isLeft({ status }: FluxObject): boolean {
    return leavesSources() && !isOwn(textOf(recordOf(status['artifact'])['url']))
  }

  return {
    now() {
      const all = [...gits.objects.values()]
      const ours = all.filter((one) => !isLeft(one))
      const left = all.filter(isLeft).map((one) => [one.key, others.readGit(one)] as const)
      return new Map([...readRepositories(ours, references, held), ...left, ...others.reads()])
    },
    hear(one) {
      if (one === undefined || !leavesSources()) return
      const now = artifactIn(one)
      const known = others.find(`GitRepository/${one.key}`)
      if (now?.digest !== known?.digest || now?.revision !== known?.revision) changed()
    },
    ask(sources) {
      for (const { source } of sources) {
        const artifact = source.kind === 'artifact' ? others.find(source.name) : undefined
        const status = service.branchFor(source)?.status
        if (artifact === undefined || status === undefined || status.at === 0) continue
        if (status.revision !== artifactRevision(artifact)) void service.ask(source)
      }
    },
    async keep(signal) {
      let before = leavesSources()
      while (!signal.aborted) {
        await clock.sleep(nextLook, signal)
        if (leavesSources() !== before) changed()
        before = leavesSources()
      }
    },
  }
}
