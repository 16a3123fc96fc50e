/** Makes the changes of a plan: `prepare`, `make` and the gate of every group, each as soon as what it needs is done. */
import type { Gate, Operation } from '#model/plan.ts'
import { factsOf, problemOf, type ProblemFacts } from '#model/problem.ts'
import type { Ref } from '#model/ref.ts'
import type { Need } from '#model/resource.ts'
import { needsProblem } from '../plan/plan.ts'
import { passGate } from './gate.ts'
import { runOperation } from './run-operation.ts'
import type { Standing } from './progress.ts'
import { runTasks, type Task } from './tasks.ts'
import {
  fail,
  failureOf,
  goesBack,
  holdBack,
  interruption,
  supersession,
  type ApplyContext,
} from './apply-context.ts'

/** The name of the task that ends when everything is prepared: from then on operations may take something away. */
const prepared = '#prepared'

export async function make(context: ApplyContext): Promise<void> {
  const groups = [...context.progress.standings.values()].filter(
    ({ group }) => group.step !== 'delete',
  )
  const awaited = awaitedBy(groups)
  const tasks = groups.flatMap((standing) => tasksOf(context, standing, awaited))
  const prepares = groups.flatMap(({ group }) => group.prepare.map(({ id }) => task(group.ref, id)))
  tasks.push({
    id: prepared,
    after: prepares,
    isTolerant: !goesBack(context),
    run: () => Promise.resolve(),
    skip: () => undefined,
  })
  tasks.push(...looksAtOthers(context, groups))
  const known = new Set(tasks.map(({ id }) => id))
  tasks.push(...looksAtTheRest(context, groups).filter(({ id }) => !known.has(id)))
  await runTasks(tasks, () => context.stop.aborted)
}

/** A job passes its own gate when it runs. A resource that needs it completed waits for more than that. */
function awaitedBy(groups: readonly Standing[]): ReadonlyMap<Ref, Gate> {
  const awaited = new Map<Ref, Gate>()
  for (const need of groups.flatMap(({ group }) => group.needs).filter(isWaitedFor)) {
    if (awaited.get(need.ref) !== 'completed')
      awaited.set(need.ref, need.until === 'completed' ? 'completed' : 'healthy')
  }
  return awaited
}

function isWaitedFor({ until }: Need): boolean {
  return until === 'healthy' || until === 'completed'
}

function task(ref: Ref, part: string): string {
  return `${ref}#${part}`
}

function tasksOf(
  context: ApplyContext,
  standing: Standing,
  awaited: ReadonlyMap<Ref, Gate>,
): Task[] {
  const { ref, prepare, make: makes, needs } = standing.group
  const tasks: Task[] = []
  let previous: string[] = []
  function add(operation: Operation, part: 'prepare' | 'make', after: readonly string[]): void {
    const id = task(ref, operation.id)
    tasks.push({
      id,
      after: [...previous, ...after, ...operation.after.map(madeOr)],
      isTolerant: false,
      run: () => step(context, standing, operation, part),
      skip: (because) => skipped(context, standing, because),
    })
    previous = [id]
  }
  for (const operation of prepare) add(operation, 'prepare', [])
  const waits = needs.map((need) => {
    const awaited = task(need.ref, isWaitedFor(need) ? 'passed' : 'made')
    if (need.isOptional !== true) return awaited
    const relay = relayOf(ref, need.ref, awaited)
    tasks.push(relay)
    return relay.id
  })
  makes.forEach((operation, index) => {
    add(operation, 'make', [
      ...(index === 0 ? waits : []),
      ...(operation.disrupts ? [prepared] : []),
    ])
  })
  tasks.push({
    id: task(ref, 'made'),
    after: makes.length === 0 ? [...previous, ...waits] : previous,
    isTolerant: false,
    run: () => Promise.resolve(),
    skip: (because) => skipped(context, standing, because),
  })
  tasks.push({
    id: task(ref, 'passed'),
    after: [task(ref, 'made')],
    isTolerant: false,
    run: () => passed(context, standing, awaited),
    skip: (because) => skipped(context, standing, because),
  })
  return tasks
}

/** Waits until that task ends, whether it succeeded or failed. */
function relayOf(ref: Ref, needed: Ref, awaited: string): Task {
  return {
    id: task(ref, `after ${needed}`),
    after: [awaited],
    isTolerant: true,
    run: () => Promise.resolve(),
    skip: () => undefined,
  }
}

/** `ref#id` is that operation; a bare `ref` is the whole making of that group. */
function madeOr(name: string): string {
  return name.includes('#') ? name : task(name, 'made')
}

async function step(
  context: ApplyContext,
  standing: Standing,
  operation: Operation,
  part: 'prepare' | 'make',
): Promise<void> {
  if (operation.disrupts && goesBack(context)) {
    // What is about to be put back need not be taken away first.
    const failed = failureOf(context)
    if (failed !== undefined) {
      const { ref } = standing.group
      holdBack(context, standing, leftFor(ref, failed.group.ref))
      throw new Error('held back')
    }
  }
  begin(context, standing)
  if (part === 'make' && !standing.hasMade) {
    standing.hasMade = true
    context.progress.begun.push(standing)
  }
  if (operation.disrupts) standing.disruptedAt ??= context.clock.now()
  try {
    await runOperation(context, standing, operation, part)
  } catch (thrown) {
    fail(context, standing, factsOf(problemOf(thrown, standing.group.ref)))
    throw thrown
  }
}

function begin(context: ApplyContext, standing: Standing): void {
  if (standing.phase !== 'pending') return
  standing.phase = 'begun'
  standing.beganAt = context.clock.now()
  const { ref, step: kind } = standing.group
  context.emit({ type: 'group', ref, step: kind, phase: 'began' })
}

async function passed(
  context: ApplyContext,
  standing: Standing,
  awaited: ReadonlyMap<Ref, Gate>,
): Promise<void> {
  const { ref, step: kind, subject } = standing.group
  const gate = awaited.get(ref) === 'completed' ? 'completed' : standing.group.gate
  const { clock, emit, options } = context
  begin(context, standing)
  if (gate !== 'none' && (options.waits || awaited.has(ref))) {
    emit({ type: 'group', ref, step: kind, phase: 'waiting' })
    const watched = { ref, subject, gate, timeout: options.timeout }
    await waitAt(
      context,
      watched,
      (problem) => fail(context, standing, problem),
      () => holdBack(context, standing, supersession(context, 'made, and not waited for', ref)),
    )
  }
  standing.phase = 'passed'
  const milliseconds = clock.now() - standing.beganAt
  emit({ type: 'group', ref, step: kind, phase: 'passed', milliseconds })
}

async function waitAt(
  context: ApplyContext,
  watched: Parameters<typeof passGate>[0],
  onFail: (problem: ProblemFacts) => void,
  onSuperseded: () => void = () => undefined,
): Promise<void> {
  const { emit, stop, superseded, progress } = context
  // a job that others wait for is at work: it is brought to its end
  const isWork = watched.gate === 'completed'
  const until = isWork ? stop : AbortSignal.any([stop, superseded])
  try {
    await passGate(watched, context, until, (text) =>
      emit({ type: 'progress', ref: watched.ref, text }),
    )
  } catch (thrown) {
    const isSuperseded = until.aborted && !stop.aborted
    progress.isSuperseded ||= isSuperseded
    if (isSuperseded) onSuperseded()
    else if (!stop.aborted) onFail(factsOf(problemOf(thrown, watched.ref)))
    throw thrown
  }
}

/** Groups may need that something which the run leaves alone is healthy: that is looked at too. */
function looksAtOthers(context: ApplyContext, groups: readonly Standing[]): readonly Task[] {
  const { progress, subjects, options } = context
  const tasks = new Map<string, Task>()
  for (const { group } of groups) {
    for (const { ref, until } of group.needs) {
      const subject = subjects.get(ref)
      if (until === 'exists' || until === 'started') continue
      if (subject === undefined || progress.standings.has(ref)) continue
      const watched = { ref, subject, gate: until, timeout: options.timeout } as const
      tasks.set(task(ref, 'passed'), {
        id: task(ref, 'passed'),
        after: [],
        isTolerant: false,
        run: () => waitAt(context, watched, (problem) => tellOf(context, problem)),
        skip: () => undefined,
      })
    }
  }
  return [...tasks.values()]
}

/** What has to be healthy though the run does not change it: looked at when all changes were made, and they may be its cause. */
function looksAtTheRest(context: ApplyContext, groups: readonly Standing[]): readonly Task[] {
  const { gates, options, progress } = context
  const made = groups.map(({ group }) => task(group.ref, 'made'))
  const changesMade = '#made'
  if (gates.length === 0 || !options.waits) return []
  const looks = gates.map(({ ref, subject }): Task => {
    const watched = { ref, subject, gate: 'healthy', timeout: options.timeout } as const
    return {
      id: task(ref, 'passed'),
      after: [changesMade],
      isTolerant: false,
      run: () =>
        waitAt(context, watched, (problem) => {
          progress.unwell.push(problem)
          tellOf(context, problem)
        }),
      skip: () => undefined,
    }
  })
  const done = { run: () => Promise.resolve(), skip: () => undefined }
  return [{ id: changesMade, after: made, isTolerant: false, ...done }, ...looks]
}

function tellOf({ emit }: ApplyContext, problem: ProblemFacts): void {
  emit({ type: 'problem', problem })
}

/** A group that does not need the failed one does not begin to disrupt anything in a run that goes back. */
function leftFor(ref: Ref, failed: Ref): ProblemFacts {
  const message = `left as it is: ${failed} failed`
  return { type: 'dependency', code: 'needs_failed', ref, message, recoverable: true }
}

function skipped(context: ApplyContext, standing: Standing, because: string | undefined): void {
  const { ref } = standing.group
  if (because === undefined || (because === prepared && context.stop.aborted)) {
    holdBack(context, standing, interruption(ref))
    return
  }
  if (because === prepared) {
    const [failed] = context.progress.failed
    holdBack(context, standing, leftFor(ref, failed?.group.ref ?? 'another resource'))
    return
  }
  const other = because.slice(0, because.lastIndexOf('#'))
  if (other === ref) return
  const { isSuperseded, failed } = context.progress
  if (isSuperseded && failed.length === 0) {
    holdBack(context, standing, supersession(context, 'not begun', ref))
    return
  }
  holdBack(context, standing, needsProblem(ref, other, 'which failed'))
}
