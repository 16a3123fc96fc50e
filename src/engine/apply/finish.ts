/** The end of a good run: what was replaced goes, then what is no longer declared, users before what they use. */
import { factsOf, problemOf } from '#model/problem.ts'
import { needsProblem } from '../plan/plan.ts'
import { perform } from './perform.ts'
import type { Standing } from './progress.ts'
import { runTasks, type Task } from './tasks.ts'
import { fail, holdBack, interruption, type Workshop } from './workshop.ts'

/**
 * Removals come when all that was replaced is gone: a run that was killed may have left things that nobody's record tells
 * of, and these go with their resource.
 */
export async function finish(workshop: Workshop): Promise<void> {
  const standings = [...workshop.progress.standings.values()]
  const replaced = standings.filter(({ phase }) => phase === 'passed')
  await runTasks(
    replaced.map((standing) => taskOf(workshop, standing)),
    () => false,
  )
  const stuck = new Set(workshop.progress.failed.map(({ group }) => group.ref))
  const removed = standings.filter(({ phase, group }) => {
    return phase === 'pending' && group.step === 'delete'
  })
  for (const standing of removed) {
    const { ref, finish: operations } = standing.group
    const user = operations.flatMap(({ after }) => after).find((name) => stuck.has(name))
    if (user === undefined) continue
    holdBack(workshop, standing, needsProblem(ref, user, 'which could not be removed'))
    stuck.add(ref)
  }
  await runTasks(
    removed.filter(({ phase }) => phase === 'pending').map((each) => taskOf(workshop, each)),
    () => false,
  )
}

function taskOf(workshop: Workshop, standing: Standing): Task {
  const { ref, step, finish: operations } = standing.group
  const { clock, tell } = workshop
  return {
    id: ref,
    after: operations.flatMap(({ after }) => after),
    isTolerant: false,
    async run() {
      // What was replaced is always brought to its end: half a switch serves nobody. Removals can wait for another run.
      if (step === 'delete' && workshop.stop.aborted) {
        holdBack(workshop, standing, interruption(ref))
        throw new Error('interrupted')
      }
      if (standing.phase === 'pending') {
        standing.beganAt = clock.now()
        tell({ type: 'group', ref, step, phase: 'began' })
      }
      try {
        for (const operation of operations) await perform(workshop, standing, operation, 'finish')
      } catch (thrown) {
        fail(workshop, standing, factsOf(problemOf(thrown, ref)))
        throw thrown
      }
      standing.phase = 'done'
      tell({
        type: 'group',
        ref,
        step,
        phase: 'done',
        milliseconds: clock.now() - standing.beganAt,
      })
    },
    skip(because) {
      const needed = because ?? 'another resource'
      holdBack(workshop, standing, needsProblem(ref, needed, 'which could not be removed'))
    },
  }
}
