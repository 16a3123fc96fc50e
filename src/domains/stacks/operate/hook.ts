/** Commands that run in a container after its start or before its end. */
import { textIn } from '#domains/containers/payload.ts'
import { inspectContainer } from '#clients/docker/containers.ts'
import { execIn } from '#clients/docker/exec.ts'
import { lastLines } from '#clients/docker/logs.ts'
import { numberOf, recordOf } from '#model/read-json.ts'
import type { Outputs } from '#model/domain.ts'
import { Problem } from '#model/problem.ts'
import { openedHookOf } from '../spec-of.ts'
import { type Job } from './job.ts'

/** One before the end may fail: the end comes all the same. */
export async function hook(job: Job): Promise<Outputs> {
  const { docker, context, payload } = job
  const wish = openedHookOf(payload['hook'] ?? null)
  const { environment = {} } = wish
  const command = wish.command ?? []
  const last: string[] = []
  const exec = {
    command,
    user: wish.user || undefined,
    folder: wish.working_dir || undefined,
    // one without a value says nothing
    environment: Object.entries(environment).flatMap(([name, value]) =>
      value === null ? [] : [`${name}=${value}`],
    ),
    isPrivileged: wish.privileged === true,
    report(line: string) {
      context.report(line)
      last.push(line)
    },
  }
  let failure: string | undefined
  try {
    const code = await execIn(docker, textIn(job, 'name'), exec, context.signal)
    if (code !== 0) failure = `${textIn(job, 'shown')} ended with exit code ${code}`
  } catch (error) {
    if (payload['isTolerant'] !== true) throw await ratherEnded(job, command, error)
    failure = error instanceof Error ? error.message : String(error)
  }
  if (failure === undefined) return {}
  if (payload['isTolerant'] === true) {
    context.warn(failure)
    return {}
  }
  const details = last.slice(-shownLines)
  const problem = new Problem({ type: 'runtime', code: 'exited', message: failure, details })
  throw await ratherEnded(job, command, problem)
}

const shownLines = 15

/** Where the container itself ended, that is the news, with its last words. */
async function ratherEnded(job: Job, command: readonly string[], error: unknown): Promise<unknown> {
  const { docker, context } = job
  const name = textIn(job, 'name')
  // then the hook's own error is told
  const found = await inspectContainer(docker, name, context.signal).catch(() => undefined)
  const { Status: status, ExitCode: code } = recordOf(found?.['State'])
  if (status !== 'exited' && status !== 'stopped' && status !== 'dead') return error
  // only the last lines are missing from the message
  const details = await lastLines(docker, name, shownLines, context.signal).catch(() => [])
  return new Problem({
    type: 'runtime',
    code: 'exited',
    message: `it ended with exit code ${numberOf(code)} before ${command[0] ?? 'its hook'} could run in it`,
    details,
    cause: error,
  })
}
