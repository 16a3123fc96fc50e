/** Asks once more where the fault was a moment's. */
import { setTimeout as sleep } from 'node:timers/promises'
import { problemOf } from '#model/problem.ts'

const tries = 5
const pause = 100

/** The host's interfaces changed while the engine went through them. */
const isMoments = /no such network interface/i

export async function again<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let left = tries - 1; ; left -= 1) {
    try {
      return await work()
    } catch (thrown) {
      if (left === 0 || !isMoments.test(problemOf(thrown).message)) throw thrown
      await sleep(pause)
    }
  }
}
