/** Tells a test that fails only beside others from one that fails: of a whole run, a few failed files are run again, each alone. */
import type { Board } from './progress.ts'
import { runJob, type Ended, type JobOptions } from './run-job.ts'

/** When more files than these failed, the machine was not the reason. */
const mostFiles = 5

export type Tried = {
  /** Of each file the last try. */
  readonly ended: readonly Ended[]
  /** The first tries of files that passed alone: they are told, and are no failure. */
  readonly passedAlone: readonly Ended[]
}

export async function tryAlone(
  ended: readonly Ended[],
  options: Omit<JobOptions, 'environment'>,
  board: Board,
): Promise<Tried> {
  const failed = ended.filter((one) => one.failed > 0)
  if (failed.length > mostFiles) return { ended, passedAlone: [] }
  const last = new Map(ended.map((one) => [one.job, one]))
  for (const { job } of failed) {
    board.again(job.name)
    const second = await runJob(job, { ...options, environment: {} })
    board.ended(second)
    last.set(job, second)
  }
  return {
    ended: [...last.values()],
    passedAlone: failed.filter(({ job }) => last.get(job)?.failed === 0),
  }
}
