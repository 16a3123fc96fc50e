/** Runs a command in a running container and tells how it ended. */
import { segment } from '#clients/containers/calls.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { numberOf, recordOf, textOf } from '#model/read-json.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Docker } from './client.ts'
import { outputLines, outputOf } from './output-frames.ts'

type Exec = {
  readonly command: readonly string[]
  readonly user?: string | undefined
  readonly folder?: string | undefined
  /** `NAME=value` */
  readonly environment?: readonly string[] | undefined
  readonly isPrivileged?: boolean
  report(line: string): void
}

/** Gives the exit code of the command. Aborting ends the wait, not the command: engines have no call for that. */
export async function execIn(
  docker: Docker,
  container: string,
  exec: Exec,
  signal: AbortSignal,
): Promise<number> {
  const doing = `could not run ${exec.command[0] ?? ''} in container ${container}`
  const made = await docker.ask('POST', `/containers/${segment(container)}/exec`, {
    body: bodyOf(exec),
    signal,
    doing,
  })
  const path = `/exec/${segment(textOf(recordOf(made.body)['Id']))}`
  const body = { Detach: false, Tty: false }
  const stream = await docker.stream('POST', `${path}/start`, { body, signal, doing, silence: 0 })
  for await (const { line } of outputLines(outputOf(stream.body))) exec.report(line)
  return exitCodeOf(docker, path, doing, signal)
}

function bodyOf(exec: Exec): JsonRecord {
  return {
    Cmd: exec.command,
    AttachStdin: false,
    AttachStdout: true,
    AttachStderr: true,
    Tty: false,
    Privileged: exec.isPrivileged ?? false,
    ...(exec.user === undefined ? {} : { User: exec.user }),
    ...(exec.folder === undefined ? {} : { WorkingDir: exec.folder }),
    ...(exec.environment === undefined ? {} : { Env: exec.environment }),
  }
}

/** The output of a command may end a moment before the engine has noted the exit code. */
async function exitCodeOf(
  docker: Docker,
  path: string,
  doing: string,
  signal: AbortSignal,
): Promise<number> {
  for (;;) {
    const { body } = await docker.ask('GET', `${path}/json`, { signal, doing })
    const state = recordOf(body)
    if (state['Running'] !== true) return numberOf(state['ExitCode'])
    await sleep(20, undefined, { signal })
  }
}
