/** Starts each job as soon as what it needs is there, the longest first, some at a time, while what is missing is built beside them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { buildGroup, groupsOf, type GoTool } from '../testbed/go-tools.ts'
import { provideTogether, type Program } from '../testbed/packages.ts'
import { builtVariable } from '../testbed/built-program.ts'
import { builtProgram } from './build-program.ts'
import { openGauge } from './gauge.ts'
import { isReady, type Needs } from './needs.ts'
import type { Board } from './progress.ts'
import { runJob, type Ended, type Job, type JobOptions } from './run-job.ts'

export type Planned = { readonly job: Job; readonly needs: Needs; readonly seconds: number }

/** `lacks`: what could not be made; files that need it run all the same, and say so or fail. */
type Supply = { readonly lacks: Set<GoTool>; hasTend: boolean; isOver: boolean }

export type RunOptions = Omit<JobOptions, 'environment'> & {
  readonly atOnce: number
  /** So many while the machine has room for more. */
  readonly atMost: number
  /** Tests start the Tend that `npm run build` makes, and not the source. */
  readonly isBuilt: boolean
}

export async function runAll(
  planned: readonly Planned[],
  options: RunOptions,
  board: Board,
  told: (ended: Ended) => void,
): Promise<void> {
  const waiting = new Set(planned.toSorted((a, b) => b.seconds - a.seconds))
  const running = new Set<Promise<void>>()
  const supply: Supply = { lacks: new Set(), hasTend: !options.isBuilt, isOver: false }
  let wake: () => void = () => {}
  const supplying = provide(planned, supply, board, () => wake())
  const canStart = ({ needs }: Planned): boolean =>
    (supply.hasTend || !needs.usesTend) &&
    (supply.isOver || isReady(needs) || [...needs.tools].some((tool) => supply.lacks.has(tool)))
  const gauge = openGauge()
  const hasRoom = (): boolean =>
    running.size < options.atOnce || (running.size < options.atMost && gauge.hasRoom())
  while (waiting.size > 0) {
    const changed = new Promise<void>((resolve) => (wake = resolve))
    const next = hasRoom() ? [...waiting].find(canStart) : undefined
    if (next === undefined) {
      const again = new AbortController()
      await Promise.race([...running, changed, sleep(1000, undefined, again).catch(() => {})])
      again.abort()
      continue
    }
    gauge.started()
    waiting.delete(next)
    const environment = { TEND_TESTBED_LACKS: [...supply.lacks].join(' ') }
    board.started(next.job.name)
    const going = runJob(next.job, { ...options, environment }).then((ended) => {
      running.delete(going)
      board.ended(ended)
      told(ended)
    })
    running.add(going)
  }
  await Promise.all([...running, supplying])
}

/** All of it at once: Tend and then Debian's packages, which are most of the time on the network; beside them each module's tools. */
async function provide(
  planned: readonly Planned[],
  supply: Supply,
  board: Board,
  changed: () => void,
): Promise<void> {
  await Promise.all([
    providePrograms(planned, supply, board, changed),
    provideTools(planned, supply, board, changed),
  ])
  supply.isOver = true
  changed()
}

async function providePrograms(
  planned: readonly Planned[],
  supply: Supply,
  board: Board,
  changed: () => void,
): Promise<void> {
  const programs = new Set<Program>(planned.flatMap(({ needs }) => [...needs.programs]))
  if (!supply.hasTend && planned.some(({ needs }) => needs.usesTend)) {
    board.building('Tend')
    process.env[builtVariable] = await builtProgram()
    board.built('Tend', undefined)
    supply.hasTend = true
    changed()
  }
  if (planned.some(({ needs }) => !isReady({ ...needs, tools: new Set() }))) {
    board.building("Debian's packages")
    await provideTogether([...programs])
    board.built("Debian's packages", undefined)
    changed()
  }
}

/** In the order of their table. */
async function provideTools(
  planned: readonly Planned[],
  supply: Supply,
  board: Board,
  changed: () => void,
): Promise<void> {
  const tools = new Set<GoTool>(planned.flatMap(({ needs }) => [...needs.tools]))
  for (const group of groupsOf([...tools])) {
    const name = group.join(', ')
    board.building(name)
    const failure = await buildGroup(group, ({ packages, done }) =>
      board.building(name, packages === 0 ? undefined : `${done} of at most ${packages} packages`),
    )
    board.built(name, failure)
    if (failure !== undefined) for (const tool of group) supply.lacks.add(tool)
    changed()
  }
}
