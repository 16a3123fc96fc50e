/** The few processes that render what repositories hold: started when there is work, ended when there is none for a while. */
import { Problem } from '#model/problem.ts'
import type { TaskRunner } from '#model/render.ts'
import { fairQueue } from '../fair-queue.ts'
import { startRenderChild, type RenderChild } from './render-child.ts'
import {
  idleTimeout,
  keptMemory,
  slowAfter,
  usualLimits,
  usualProcesses,
  type RenderLimits,
} from './render-limits.ts'
import type { TaskName, Tasks } from './render-request.ts'
import type { unchanged } from '#model/unchanged.ts'

type Job = {
  readonly source: string
  /** Gives what tells whoever asked for it. Never rejects. */
  work(child: RenderChild): Promise<() => void>
  /** It will not be done. */
  refuse(): void
}

/** For what comes from one source. */
export type Renders = TaskRunner & {
  /** Throws a problem, also for whatever goes beyond a limit. */
  run<Name extends TaskName>(
    name: Name,
    request: Tasks[Name]['request'],
    limits?: Partial<RenderLimits>,
  ): Promise<Tasks[Name]['answer'] | typeof unchanged>
}

export type RenderPool = {
  for(source: string): Renders
  /** From now on, in the place of the usual ones. */
  limit(limits: Partial<RenderLimits>): void
  /** There will be something to render soon. */
  warm(): void
  /** Of the processes that live now. */
  pids(): readonly number[]
  /** Ends all processes at once; what goes on or waits is refused. */
  stop(): void
}

export type PoolOptions = {
  readonly processes?: number
  readonly limits?: Partial<RenderLimits>
  /** ms */
  readonly idle?: number
  /** The file that understands `__render`, if it is not this program's own. */
  readonly program?: string
}

export function renderPool(options: PoolOptions = {}): RenderPool {
  const { processes = usualProcesses(), idle = idleTimeout } = options
  const queue = fairQueue<Job>(processes)
  const resting = new Map<RenderChild, NodeJS.Timeout>()
  const all = new Set<RenderChild>()
  let limitsNow: RenderLimits = { ...usualLimits, ...options.limits }
  let isStopped = false

  function dispatch(): void {
    for (let job = queue.next(); job !== undefined; job = queue.next()) void perform(job)
  }

  async function perform(job: Job): Promise<void> {
    const child = take()
    const began = performance.now()
    const tell = await job.work(child)
    queue.done(job, performance.now() - began > slowAfter || !child.isAlive())
    put(child)
    // whoever hears of it may ask for more
    tell()
    dispatch()
  }

  function take(): RenderChild {
    for (const [child, timer] of [...resting].toReversed()) {
      clearTimeout(timer)
      resting.delete(child)
      if (child.isAlive()) return child
      all.delete(child)
    }
    const child = startRenderChild(limitsNow.memory, options.program)
    all.add(child)
    return child
  }

  function put(child: RenderChild): void {
    const isTooMany = resting.size >= processes
    if (isStopped || !child.isAlive() || isTooMany || child.memory() > keptMemory) return end(child)
    const timer = setTimeout(() => {
      resting.delete(child)
      end(child)
    }, idle)
    timer.unref()
    resting.set(child, timer)
  }

  function end(child: RenderChild): void {
    all.delete(child)
    child.end()
  }

  function run<Name extends TaskName>(
    source: string,
    name: Name,
    request: Tasks[Name]['request'],
    limits: Partial<RenderLimits>,
  ): Promise<Tasks[Name]['answer'] | typeof unchanged> {
    return new Promise((resolve, reject) => {
      if (isStopped) return reject(stopped())
      async function work(child: RenderChild): Promise<() => void> {
        try {
          const answer: Tasks[Name]['answer'] = answerOf(
            await child.ask(name, request, { ...limitsNow, ...limits }),
          )
          return () => resolve(answer)
        } catch (thrown) {
          return () => reject(isStopped ? stopped() : thrown)
        }
      }
      queue.add({ source, work, refuse: () => reject(stopped()) })
      dispatch()
    })
  }

  return {
    for: (source) => ({
      run: (name, request, limits = {}) => run(source, name, request, limits),
      perform: (task, timeout) => run(source, 'kind', task, { timeout }),
    }),
    limit: (said) => void (limitsNow = { ...usualLimits, ...options.limits, ...said }),
    warm() {
      if (!isStopped && all.size === 0) put(take())
    },
    pids: () => [...all].filter((child) => child.isAlive()).map(({ pid }) => pid),
    stop() {
      isStopped = true
      for (const timer of resting.values()) clearTimeout(timer)
      resting.clear()
      for (const child of all) end(child)
      for (const job of queue.clear()) job.refuse()
    },
  }
}

/** The process runs this very program: what it sends is what its task gives. */
function answerOf<Answer>(message: unknown): Answer {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- both ends are one program
  return message as Answer
}

function stopped(): Problem {
  return new Problem({
    type: 'runtime',
    code: 'interrupted',
    message: 'the service ends: nothing more is rendered',
    recoverable: true,
  })
}
