/** What the service is made of. Everything outside comes in here. */
import type { Clock } from '#model/clock.ts'
import type { Declarations, SourceDeclared, Window } from '#model/declaration.ts'
import type { ProblemFacts } from '#model/problem.ts'
import type { Ref } from '#model/ref.ts'
import type { Repository } from '#model/source.ts'
import type { Leases, Notes, Store } from '#model/store.ts'
import type { LoadedKind } from '#model/application-kind.ts'
import type { RemedyPace } from './decide/remedy.ts'
import type { Opening } from './decide/decide.ts'
import type { Log } from '#model/log.ts'
import type { RenderPool } from './render/render-pool.ts'
import type { BindFiles } from '#model/bind-files.ts'
import type { Peers } from './replicas/peers.ts'

export type Restarted = {
  /** Of the application. */
  readonly key: string
  readonly ref: Ref
  readonly why: string
  readonly milliseconds: number
  /** Undefined: it was restarted. */
  readonly problem: ProblemFacts | undefined
}

export type Dependencies = {
  readonly declarations: Declarations
  /** The processes that read and render what repositories hold. */
  readonly renders: RenderPool
  isOpen(windows: readonly Window[], now: number): Opening
  /** Asked once for each source; the same repository for all refs of one address. */
  repository(source: SourceDeclared): Repository
  readonly kinds: readonly LoadedKind[]
  readonly bindFiles: BindFiles
  readonly store: Store
  readonly leases: Leases
  readonly notes: Notes
  /** 32 bytes: of the seeds. */
  readonly key: Uint8Array
  readonly clock: Clock
  readonly instance: string
  /** Who this is, for another run that waits: "tend serve (pid 4711)". */
  readonly holder: string
  readonly log: Log
  /** How fast what is not well gets help; unset: the usual. */
  readonly helpPace?: RemedyPace
  /** Hears of each container that was restarted because it was not well. */
  restarted?(restart: Restarted): void
  /** The other services on the same database; absent: this one is alone. */
  readonly peers?: Peers
  /** Which places this replica runs applications at; absent: all that are declared. */
  readonly offers?: (kind: LoadedKind, address: string) => boolean
  /** Whether the other one is as the first needs it, where somebody else than the declarations decides that. */
  readonly stands?: (own: string, other: string) => boolean | undefined
}
