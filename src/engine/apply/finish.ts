/** The end of a good run: what was replaced goes, then what is no longer declared, users before what they use. */
import { factsOf, problemOf } from '#model/problem.ts'
import { needsProblem } from '../plan/plan.ts'
import { perform } from './perform.ts'
import type { Standing } from './progress.ts'
import { runTasks, type Task } from './tasks.ts'
import { fail, holdBack, interruption, type Workshop } from './workshop.ts'

export async function finish(workshop: Workshop): Promise<void> {
  const tasks: Task[] = []
  for (const standing of workshop.progress.standings.values()) {
    const isDue = standing.phase === 'passed' || standing.group.step === 'delete'
    if (isDue) tasks.push(taskOf(workshop, standing))
  }
  await runTasks(tasks, () => false)
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
