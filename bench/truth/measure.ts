/** A clock at what is said of one application: from the harm to the word, to the alert, to its being well again. */
import { isUnwell, type AppStatus } from '#model/service.ts'

export type Measured = {
  /** Undefined: nobody ever said it. */
  readonly said: number | undefined
  readonly alerted: number | undefined
  readonly mended: number | undefined
  /** What was said. */
  readonly words: string
}

type Measuring = {
  /** Tells of each new status; gives what ends it. */
  readonly listen: (hear: (status: AppStatus) => void) => () => void
  readonly alerts: () => number
  readonly harm: () => Promise<void>
  /** Undefined: the service mends it by itself. */
  readonly mend?: (() => Promise<void>) | undefined
  /** It comes as a commit: that this is being applied says nothing yet. Otherwise only harm makes a run begin. */
  readonly isCommit?: boolean
  /** Of a commit: words that say so while it is still being applied. */
  readonly saidBy?: RegExp | undefined
}

const longest = 150_000

export async function measure(measuring: Measuring): Promise<Measured> {
  const { listen, alerts, harm, mend, isCommit = false, saidBy } = measuring
  let [said, mended]: (number | undefined)[] = [undefined, undefined]
  let words = ''
  const alertsBefore = alerts()
  const began = performance.now()
  const end = listen((status) => {
    const now = performance.now() - began
    const isNamed = saidBy?.test(status.sync.reason) === true
    if (!isWell(status) && (isNamed || !(isCommit && isOnItsWay(status)))) {
      said ??= now
      words ||= wordsOf(status)
      mended = undefined
    } else if (said !== undefined && isWell(status)) mended ??= now
  })
  let alerted: number | undefined
  try {
    await harm()
    await until(() => said !== undefined)
    if (said === undefined) return { said, alerted, mended, words: 'nobody said so' }
    if (mend !== undefined) {
      await until(() => alerts() > alertsBefore)
      if (alerts() > alertsBefore) alerted = performance.now() - began
      await mend()
    }
    await until(() => mended !== undefined)
    return { said, alerted, mended, words }
  } finally {
    end()
  }
}

export function isWell({ state, health }: AppStatus): boolean {
  return state === 'synced' && health.state === 'healthy'
}

/** A run goes on, and nothing of it is said to be unwell. */
function isOnItsWay(status: AppStatus): boolean {
  return status.state === 'syncing' && !isUnwell(status)
}

function wordsOf({ state, reason, sync, health }: AppStatus): string {
  const why = reason === '' ? sync.reason : reason
  const told = health.state === 'healthy' || health.reason === '' ? why : health.reason
  return `${state}, ${health.state}: ${told}`.replaceAll(/\s+/g, ' ').slice(0, 160)
}

async function until(isSo: () => boolean): Promise<void> {
  const began = performance.now()
  while (!isSo() && performance.now() - began < longest) {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
