/** Whose turn it is to be rendered or checked: sources take turns, and one that is slow never holds every place while others wait. */

type Sourced = { readonly source: string }

export type FairQueue<Job extends Sourced> = {
  add(job: Job): void
  /** What may begin now; it counts as begun. */
  next(): Job | undefined
  done(job: Job, wasSlow: boolean): void
  /** All that waits, which waits no more. */
  clear(): readonly Job[]
}

/**
 * At most `most` at once, and one more for a source that would otherwise wait for others to end: it holds none itself, and its
 * last one was quick. Known slow sources leave one of the places to the others as long as any of those waits.
 */
export function fairQueue<Job extends Sourced>(most: number): FairQueue<Job> {
  /** In the order in which they take turns. */
  const waiting = new Map<string, Job[]>()
  const running = new Map<string, number>()
  const slow = new Set<string>()

  function count(isCounted: (source: string) => boolean = () => true): number {
    let total = 0
    for (const [source, number] of running) if (isCounted(source)) total += number
    return total
  }

  function pick(): string | undefined {
    const sources = [...waiting.keys()]
    const idle = sources.filter((source) => !running.has(source))
    const quick = idle.find((source) => !slow.has(source))
    const total = count()
    if (total > most) return undefined
    if (total === most) return quick
    const isLastFree = total === most - 1
    const others = sources.filter((source) => !slow.has(source))
    if (quick !== undefined) return quick
    // the last one is for whoever is not known to be slow
    if (isLastFree && most > 1 && others.length > 0) return others[0]
    return idle[0] ?? sources[0]
  }

  return {
    add(job) {
      const jobs = waiting.get(job.source)
      if (jobs === undefined) waiting.set(job.source, [job])
      else jobs.push(job)
    },
    next() {
      const source = pick()
      const jobs = source === undefined ? undefined : waiting.get(source)
      const job = jobs?.shift()
      if (source === undefined || jobs === undefined || job === undefined) return undefined
      waiting.delete(source)
      if (jobs.length > 0) waiting.set(source, jobs)
      running.set(source, (running.get(source) ?? 0) + 1)
      return job
    },
    done({ source }, wasSlow) {
      const left = (running.get(source) ?? 1) - 1
      if (left === 0) running.delete(source)
      else running.set(source, left)
      if (wasSlow) slow.add(source)
      else slow.delete(source)
    },
    clear() {
      const jobs = [...waiting.values()].flat()
      waiting.clear()
      return jobs
    },
  }
}
