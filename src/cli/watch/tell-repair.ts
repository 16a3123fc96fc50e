/** Prints a repair: a line for people, a document for programs. */
import type { Application } from '#model/application.ts'
import type { ProblemFacts } from '#model/problem.ts'
import type { Ref } from '#model/ref.ts'
import type { Screen } from '../screen.ts'
import { mark } from '../views/paint.ts'
import { localTime } from '../views/view-options.ts'
import { seconds, skipWords, thing } from '../views/labels.ts'

type ToldRepair = {
  readonly at: number
  readonly ref: Ref
  /** create, update, replace or delete; restart for a container that existed and was not well. */
  readonly action: string
  readonly cause: string
  readonly milliseconds?: number | undefined
  /** Why it could not be done; undefined: it was. */
  readonly problem?: ProblemFacts | undefined
}

export function tellRepair(
  screen: Screen,
  { kind, name }: Application,
  { at, ref, action, cause, milliseconds, problem }: ToldRepair,
): void {
  if (screen.format !== 'table') {
    const line = {
      at: new Date(at).toISOString(),
      [kind]: name,
      resource: ref,
      action,
      outcome: problem === undefined ? 'repaired' : 'failed',
      cause,
      error: problem?.message ?? null,
      durationMs: milliseconds ?? null,
    }
    return screen.print([JSON.stringify(line)])
  }
  const lasted = milliseconds === undefined ? '' : ` (${seconds(milliseconds)})`
  const done = action === 'restart' ? 'restarted' : 'repaired'
  const words =
    problem === undefined ? `${done}: ${cause}${lasted}` : `not ${done}: ${skipWords(problem)}`
  const sign = mark(problem === undefined ? '✓' : '✗', screen.paint)
  screen.print([`[${localTime(at)}] ${sign} ${name}: ${thing(ref)} ${words}`])
}
