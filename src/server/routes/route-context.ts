/** What handlers work with. */
import type { AuditLog } from '#model/audit.ts'
import type { Clock } from '#model/clock.ts'
import type { HookDeclared, SecretFrom } from '#model/declaration.ts'
import type { LoginDeclared } from '#model/login.ts'
import type { Service } from '#model/service.ts'
import type { Notes } from '#model/store.ts'
import type { TimelineLog } from '#model/timeline.ts'
import type { Keeper } from '../access/keeper.ts'
import type { Sessions } from '../access/sessions.ts'
import type { PreparedAnswers } from '../prepared-answers.ts'
import type { Log } from '../log.ts'
import type { Scope } from '../shapes/origin.ts'

export type RouteContext = {
  readonly service: Service
  readonly prepared: PreparedAnswers
  readonly notes: Notes
  readonly audit: AuditLog
  readonly timeline: TimelineLog
  readonly keeper: Keeper
  readonly clock: Clock
  readonly log: Log
  readonly scope: Scope
  readonly projectName: string
  readonly hooks: () => readonly HookDeclared[]
  readonly sessions: Sessions
  /** The instance's own, which all replicas have. */
  readonly key?: Uint8Array | undefined
  /** As it is declared now. */
  readonly login: () => LoginDeclared | undefined
  /** The file of an artifact by the path of its address. */
  readonly artifactFile?: ((path: string) => string | undefined) | undefined
  readonly readSecret: (from: SecretFrom) => Promise<string>
}
