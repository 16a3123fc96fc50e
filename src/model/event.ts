/** The one stream that every front end, the store and the tests read. */
import type { Application } from './application.ts'
import type { Plan, Step } from './plan.ts'
import type { ProblemFacts } from './problem.ts'
import type { Ref } from './ref.ts'
import type { Need } from './resource.ts'

export type Trigger =
  | 'manual'
  | 'rollback'
  | 'reinit'
  | 'drift'
  /** The application was not well and went back by itself. */
  | 'health'
  | 'refresh'
  | 'webhook'
  | 'start-up'

/** Why a run begins, and because of whom, if it is because of somebody. */
export type Cause = { readonly trigger: Trigger; readonly by?: string | undefined }

export type Part = 'prepare' | 'make' | 'undo' | 'finish'

export type Summary = {
  readonly created: number
  readonly updated: number
  readonly deleted: number
  readonly unchanged: number
  readonly failed: number
  readonly skipped: number
}

export type Outcome =
  | 'succeeded'
  /** Something failed; `rolledBack` says whether all is as before. */
  | 'failed'
  | 'interrupted'
  /** Stopped before anything was touched. */
  | 'refused'

export type Event = { readonly at: number } & (
  | {
      readonly type: 'started'
      readonly application: Application
      readonly trigger: Trigger
      readonly isDryRun: boolean
    }
  /** It is recorded under this number. A dry run, and a run that finds nothing to do, is not. */
  | { readonly type: 'opened'; readonly run: number }
  /** Another run of the application goes on; this one waits for it. */
  | { readonly type: 'held'; readonly by: string; readonly since: number }
  | { readonly type: 'warning'; readonly ref?: Ref; readonly text: string }
  | {
      readonly type: 'rendered'
      readonly version: string
      readonly resources: readonly { readonly ref: Ref; readonly needs: readonly Need[] }[]
      readonly warnings: readonly string[]
    }
  /** A problem of the input (before the plan), or of the run as a whole. Problems of a group come with its own event. */
  | { readonly type: 'problem'; readonly problem: ProblemFacts }
  | { readonly type: 'planned'; readonly plan: Plan }
  | {
      readonly type: 'operation'
      readonly ref: Ref
      readonly id: string
      readonly part: Part
      readonly phase: 'began' | 'done' | 'failed' | 'again'
      readonly words: string
      readonly command?: string | undefined
      readonly attempt: number
      readonly milliseconds?: number
      readonly problem?: ProblemFacts
      /** With the phase `again`: how long the operation waits before its next attempt, ms. */
      readonly delay?: number
    }
  /** A pull's percentage, the last probe's answer: worth showing while it lasts, not worth keeping. */
  | { readonly type: 'progress'; readonly ref: Ref; readonly text: string }
  | {
      readonly type: 'group'
      readonly ref: Ref
      readonly step: Step
      readonly phase: 'began' | 'waiting' | 'passed' | 'failed' | 'skipped' | 'undone' | 'done'
      readonly milliseconds?: number
      readonly problem?: ProblemFacts
      /** With the phase `undone`: for how long the resource did not serve, ms; absent where it was not taken away. */
      readonly gap?: number
    }
  | {
      readonly type: 'ended'
      readonly outcome: Outcome
      readonly isRolledBack: boolean
      /** The run whose state is in force again, where one is recorded. */
      readonly rolledBackTo?: number
      readonly summary: Summary
      readonly milliseconds: number
    }
)

export type EventOf<Type extends Event['type']> = Extract<Event, { readonly type: Type }>
