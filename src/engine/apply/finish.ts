/** The end of a good run: what was replaced goes, then what is no longer declared, users before what they use. */
import { factsOf, problemOf } from '#model/problem.ts'
import { needsProblem } from '../plan/plan.ts'
import { runOperation } from './run-operation.ts'
import type { Standing } from './progress.ts'
import { runTasks, type Task } from './tasks.ts'
import { fail, holdBack, interruption, type ApplyContext } from './apply-context.ts'

/**
 * Removals come when all that was replaced is gone: a run that was killed may have left things that nobody's record tells
 * of, and these go with their resource.
 */
export async function finish(context: ApplyContext): Promise<void> {
  const standings = [...context.progress.standings.values()]
  const replaced = standings.filter(({ phase }) => phase === 'passed')
  await runTasks(
    replaced.map((standing) => taskOf(context, standing)),
    () => false,
  )
  const stuck = new Set(context.progress.failed.map(({ group }) => group.ref))
  const removed = standings.filter(({ phase, group }) => {
    return phase === 'pending' && group.step === 'delete'
  })
  for (const standing of removed) {
    const { ref, finish: operations } = standing.group
    const user = operations.flatMap(({ after }) => after).find((name) => stuck.has(name))
    if (user === undefined) continue
    holdBack(context, standing, needsProblem(ref, user, 'which could not be removed'))
    stuck.add(ref)
  }
  await runTasks(
    removed.filter(({ phase }) => phase === 'pending').map((each) => taskOf(context, each)),
    () => false,
  )
}

function taskOf(context: ApplyContext, standing: Standing): Task {
  const { ref, step, finish: operations } = standing.group
  const { clock, emit } = context
  return {
    id: ref,
    after: operations.flatMap(({ after }) => after),
    isTolerant: false,
    async run() {
      // What was replaced is always brought to its end: half a switch serves nobody. Removals can wait for another run.
      if (step === 'delete' && context.stop.aborted) {
        holdBack(context, standing, interruption(ref))
        throw new Error('interrupted')
      }
      if (standing.phase === 'pending') {
        standing.beganAt = clock.now()
        emit({ type: 'group', ref, step, phase: 'began' })
      }
      try {
        for (const operation of operations)
          await runOperation(context, standing, operation, 'finish')
      } catch (thrown) {
        fail(context, standing, factsOf(problemOf(thrown, ref)))
        throw thrown
      }
      standing.phase = 'done'
      emit({
        type: 'group',
        ref,
        step,
        phase: 'done',
        milliseconds: clock.now() - standing.beganAt,
      })
    },
    skip(because) {
      const needed = because ?? 'another resource'
      holdBack(context, standing, needsProblem(ref, needed, 'which could not be removed'))
    },
  }
}
