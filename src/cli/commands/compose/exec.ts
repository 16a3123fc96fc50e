/** `tend compose exec`: runs a command in a container of a stack, on this terminal where there is one. */
import { attachedExec, createExec, detachedExec } from '#clients/docker/attached-exec.ts'
import { Problem } from '#model/problem.ts'
import type { Invocation } from '../../arguments/invocation.ts'
import { withProject } from '../../compose/project-containers.ts'
import type { CommandContext } from '../../session.ts'

export function composeExec(
  { words, flags }: Invocation,
  context: CommandContext,
): Promise<number> {
  const [service = '', ...command] = words
  const { index, hasNoTerminal, hasInput, isDetached } = flags.containers
  const { user, folder, environment, isPrivileged } = flags.containers
  return withProject(flags, context, async ({ docker, containers }) => {
    const running = containers
      .filter((one) => one.service === service && one.state === 'running' && !one.isOneOff)
      .toSorted((one, other) => one.number - other.number)
    const found = index === undefined ? running[0] : running.find((one) => one.number === index)
    if (found === undefined) throw notRunning(service, index)
    const isTerminal =
      !hasNoTerminal && !isDetached && process.stdin.isTTY === true && process.stdout.isTTY === true
    const exec = await createExec(
      docker,
      found.id,
      { command, user, folder, environment, isPrivileged, isTerminal, hasInput, isDetached },
      context.signal,
    )
    if (isDetached) {
      await detachedExec(docker, exec, context.signal)
      return 0
    }
    const streams = { input: process.stdin, output: process.stdout, errors: process.stderr }
    return attachedExec(docker, exec, { ...streams, isTerminal, hasInput }, context.signal)
  })
}

function notRunning(service: string, index: number | undefined): Problem {
  return new Problem({
    type: 'runtime',
    code: 'exited',
    message:
      index === undefined
        ? `service ${JSON.stringify(service)} is not running`
        : `service ${JSON.stringify(service)} is not running container #${index}`,
    suggestion: 'tend compose ps lists what runs',
  })
}
