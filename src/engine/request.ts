/** What a run is asked to do, and the parts it does it with. */
import type { Application } from '#model/application.ts'
import type { Clock } from '#model/clock.ts'
import type { Kind, Permissions, Rendered, Target } from '#model/domain.ts'
import type { Trigger } from '#model/event.ts'
import type { Json } from '#model/json.ts'
import type { Plan } from '#model/plan.ts'
import type { Leases, Store } from '#model/store.ts'
import type { GuardOptions } from './plan/guard.ts'

export type Options = Permissions &
  GuardOptions & {
    /** A failed run of an application that existed goes back to what ran before. */
    readonly isAtomic: boolean
    /** Wait until what was changed is healthy. */
    readonly waits: boolean
    /** How long a resource may take to become healthy, ms. */
    readonly timeout: number
    /** Calls under way at once. */
    readonly concurrency: number
    /** What is no longer declared is removed even where another resource failed, because the resources do not depend on each other. */
    readonly removesAnyway?: boolean
  }

export type Request = {
  readonly application: Application
  readonly instance: string
  readonly trigger: Trigger
  readonly isDryRun: boolean
  /** Everything goes: `render` is not asked. */
  readonly isUninstall: boolean
  /** Pure: same snapshot and values in, same resources out. May throw a problem. */
  render(): Rendered | Promise<Rendered>
  readonly revision: string
  /** When the application was first installed, ms. */
  readonly since: number
  /** Kept with the run: path, values, chart metadata. */
  readonly source: Json
  /** The application was applied to another target before, so that the run is recorded even when there is nothing to do. */
  readonly isMoved?: boolean
  /** Aborted, with what is newer as its reason: from then on nobody waits until what was made is healthy, and nothing goes back. */
  readonly superseded?: AbortSignal | undefined
  /** Who this is, for another run that waits: "tend upgrade (pid 4711)". */
  readonly holder: string
  readonly options: Options
  /** Asked between plan and apply. */
  approve?(plan: Plan): Promise<boolean>
}

/** Without `render` everything is removed. */
type RequestInput = Omit<Request, 'isDryRun' | 'isUninstall' | 'render'> & {
  readonly isDryRun?: boolean
  readonly render: (() => Rendered | Promise<Rendered>) | undefined
}

/** Every request is made here, whoever asks. */
export function requestOf({ isDryRun = false, render, ...asked }: RequestInput): Request {
  return {
    ...asked,
    isDryRun,
    isUninstall: render === undefined,
    render: render ?? nothingToRender,
  }
}

function nothingToRender(): never {
  throw new TypeError('nothing is rendered when everything goes')
}

export type Parts = {
  readonly kind: Kind
  readonly target: Target
  readonly clock: Clock
  readonly store: Store
  readonly leases: Leases
}
