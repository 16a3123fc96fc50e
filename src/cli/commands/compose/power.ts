/** `tend compose start|stop|restart`: starts or stops the containers of a stack without changing them. */
import { restartContainer, startContainer, stopContainer } from '#clients/docker/containers.ts'
import { Problem } from '#model/problem.ts'
import type { Invocation } from '../../arguments/invocation.ts'
import {
  inOrder,
  ofServices,
  withProject,
  type ProjectContainer,
  type ProjectOnEngine,
} from '../../compose/project-containers.ts'
import type { CommandContext } from '../../session.ts'

export function composeStart(invocation: Invocation, context: CommandContext): Promise<number> {
  return each(invocation, context, ['Starting', 'Started'], {
    isDue: ({ state }) => state !== 'running',
    work: ({ docker }, { id }) => startContainer(docker, id, context.signal),
  })
}

export function composeStop(invocation: Invocation, context: CommandContext): Promise<number> {
  const { stopTime } = invocation.flags.containers
  return each(invocation, context, ['Stopping', 'Stopped'], {
    isLastFirst: true,
    isDue: () => true,
    work: ({ docker }, { id }) => stopContainer(docker, id, stopTime, context.signal),
  })
}

export function composeRestart(invocation: Invocation, context: CommandContext): Promise<number> {
  const { stopTime } = invocation.flags.containers
  return each(invocation, context, ['Restarting', 'Started'], {
    isDue: () => true,
    work: ({ docker }, { id }) => restartContainer(docker, id, stopTime, context.signal),
  })
}

type PowerStep = {
  /** Containers that depend on others come before them. */
  readonly isLastFirst?: true
  isDue(container: ProjectContainer): boolean
  work(project: ProjectOnEngine, container: ProjectContainer): Promise<unknown>
}

function each(
  { words, flags }: Invocation,
  context: CommandContext,
  [doing, done]: readonly [string, string],
  step: PowerStep,
): Promise<number> {
  const { screen } = context
  return withProject(flags, context, async (project) => {
    const meant = ofServices(project, words).filter(({ isOneOff }) => !isOneOff)
    const strangers = meant.filter(({ isOurs }) => !isOurs)
    if (strangers.length > 0) throw notOurs(project.name, strangers)
    const levels = inOrder(meant.filter((one) => step.isDue(one)))
    for (const level of step.isLastFirst ? levels.toReversed() : levels) {
      await Promise.all(
        level.map(async (container) => {
          screen.note(` Container ${container.name} ${doing}`)
          await step.work(project, container)
          screen.note(` Container ${container.name} ${done}`)
        }),
      )
    }
    return 0
  })
}

function notOurs(name: string, [first, ...more]: readonly ProjectContainer[]): Problem {
  const others = more.length === 0 ? '' : ` and ${more.length} more`
  return new Problem({
    type: 'runtime',
    code: 'name_taken',
    message: `container ${first?.name ?? ''}${others} of ${name} was not made by Tend`,
    suggestion: `docker compose -p ${name} changes it; tend up --adopt takes it over`,
  })
}
