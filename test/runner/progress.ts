/** What a run of tests shows while it goes on: a line for each file that ended, and now and then what is under way. */
import type { Ended } from './run-job.ts'

export type Board = {
  started(name: string): void
  /** A file that failed is run a second time, alone. */
  again(name: string): void
  ended(ended: Ended): void
  /** What is made beside the tests, and how far that is. */
  building(what: string, how?: string): void
  built(what: string, failure: string | undefined): void
  close(): void
}

/** When nothing was said for so long, what is under way is. */
const silence = 30_000

export function openBoard(count: number, isTerse: boolean): Board {
  const begun = Date.now()
  const running = new Map<string, number>()
  const builds = new Map<string, { how: string | undefined; readonly since: number }>()
  let done = 0
  let last = Date.now()
  function say(line: string): void {
    last = Date.now()
    console.log(line)
  }
  const timer = setInterval(() => {
    if (Date.now() - last < silence) return
    const names = [...running].map(([name, since]) => `${name} (${clock(Date.now() - since)})`)
    const parts = [names.join(', ') || 'no test', ...buildWords()]
    say(`… ${clock(Date.now() - begun)}, ${done} of ${count} done: ${parts.join('; building ')}`)
  }, 1000)
  timer.unref()
  const buildWords = (): readonly string[] =>
    [...builds].map(([what, { how, since }]) => {
      const far = how === undefined ? '' : `, ${how}`
      return `${what} (${clock(Date.now() - since)}${far})`
    })
  return {
    started: (name) => void running.set(name, Date.now()),
    again(name) {
      running.set(name, Date.now())
      done -= 1
      say(`${name} failed beside other files: once more, alone`)
    },
    ended(ended) {
      const { job, seconds, passed, failed, skipped } = ended
      running.delete(job.name)
      done += 1
      if (!isTerse) {
        last = Date.now()
        return
      }
      const more = [
        ...(failed > 0 ? [`${failed} FAILED`] : []),
        ...(skipped > 0 ? [`${skipped} skipped`] : []),
      ]
      const counts = [`${passed} passed`, ...more].join(', ')
      const at = `${done}/${count} ${clock(Date.now() - begun)}`
      say(`${failed > 0 ? '✖' : '✔'} ${job.name}  ${counts}, ${seconds.toFixed(1)} s  [${at}]`)
      if (failed > 0) console.log(ended.text)
    },
    building(what, how) {
      const known = builds.get(what)
      if (known !== undefined) {
        known.how = how
        return
      }
      builds.set(what, { how, since: Date.now() })
      say(`building ${what}, once, beside the tests that do not need it`)
    },
    built(what, failure) {
      const took = clock(Date.now() - (builds.get(what)?.since ?? Date.now()))
      builds.delete(what)
      say(
        failure === undefined
          ? `built ${what} in ${took}`
          : `${what} could not be built:\n${failure}`,
      )
    },
    close: () => clearInterval(timer),
  }
}

/** `3m07s` */
export function clock(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000)
  const rest = String(seconds % 60).padStart(2, '0')
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${rest}s`
}
