/** Runs tasks the moment what they wait for is done, and skips what waits for a failed one. Decides nothing else. */
import { defined } from '#model/defined.ts'

export type Task = {
  readonly id: string
  readonly after: readonly string[]
  /** The task runs even when something that it waits for failed. */
  readonly isTolerant: boolean
  run(): Promise<void>
  /** Is called instead of `run` when something that the task waits for failed, or when everything was stopped. */
  skip(because: string | undefined): void
}

/**
 * Ends when nothing is under way and nothing more can start; never rejects for a task's failure: a task reports it itself
 * and then throws. `isStopped` is asked before each start.
 */
export async function runTasks(tasks: readonly Task[], isStopped: () => boolean): Promise<void> {
  const { waits, dependents } = linked(tasks)
  const blamed = new Map<string, string>()
  const ready = tasks.filter((task) => waits.get(task.id) === 0)
  const { promise: allEnded, resolve } = Promise.withResolvers<void>()
  let next = 0
  let running = 0

  function ended(task: Task, hasFailed: boolean): void {
    for (const dependent of dependents.get(task.id) ?? []) {
      if (hasFailed && !dependent.isTolerant && !blamed.has(dependent.id)) {
        blamed.set(dependent.id, task.id)
      }
      const left = defined(waits.get(dependent.id)) - 1
      waits.set(dependent.id, left)
      if (left === 0) ready.push(dependent)
    }
  }

  function startReady(): void {
    while (next < ready.length) {
      const task = defined(ready[next])
      next += 1
      if (blamed.has(task.id) || isStopped()) {
        task.skip(blamed.get(task.id))
        ended(task, true)
      } else {
        running += 1
        void task.run().then(
          () => settled(task, false),
          () => settled(task, true),
        )
      }
    }
    if (running === 0) resolve()
  }

  function settled(task: Task, hasFailed: boolean): void {
    running -= 1
    ended(task, hasFailed)
    startReady()
  }

  startReady()
  await allEnded
}

function linked(tasks: readonly Task[]): {
  readonly waits: Map<string, number>
  readonly dependents: ReadonlyMap<string, readonly Task[]>
} {
  const known = new Set(tasks.map((task) => task.id))
  const waits = new Map<string, number>()
  const dependents = new Map<string, Task[]>()
  for (const task of tasks) {
    const before = new Set(task.after.filter((id) => known.has(id)))
    waits.set(task.id, before.size)
    for (const id of before) {
      const list = dependents.get(id)
      if (list === undefined) dependents.set(id, [task])
      else list.push(task)
    }
  }
  return { waits, dependents }
}

/** Runs at most so many at once. The others wait their turn, first come first served. */
export type Limit = <Result>(work: () => Promise<Result>) => Promise<Result>

export function limitOf(most: number): Limit {
  let under = 0
  const waiting: (() => void)[] = []
  return async function limited(work) {
    if (under >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else under += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) under -= 1
      else next()
    }
  }
}
