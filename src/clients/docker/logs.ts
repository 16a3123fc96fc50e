/** The logs of a container. */
import { segment } from '#clients/containers/calls.ts'
import type { Docker } from './client.ts'
import { outputLines, outputOf, type OutputLine } from './output-frames.ts'

export type LogsWanted = {
  /** So many of the last lines; all when undefined. */
  readonly tail?: number
  /** Goes on until the container ends or the signal is aborted. */
  readonly isFollowed?: boolean
  /** Lines from before this time are left out, in seconds since the epoch. */
  readonly since?: number
  readonly hasTimes?: boolean
}

export async function logsOf(
  docker: Docker,
  name: string,
  wanted: LogsWanted,
  signal: AbortSignal,
): Promise<AsyncIterable<OutputLine>> {
  const { body } = await docker.stream('GET', `/containers/${segment(name)}/logs`, {
    query: {
      stdout: true,
      stderr: true,
      tail: wanted.tail ?? 'all',
      follow: wanted.isFollowed ?? false,
      since: wanted.since,
      timestamps: wanted.hasTimes ?? false,
    },
    signal,
    doing: `could not read the log of container ${name}`,
    silence: wanted.isFollowed === true ? 0 : 60_000,
  })
  return outputLines(outputOf(body))
}

/** The last lines it wrote, both streams in order. */
export async function lastLines(
  docker: Docker,
  name: string,
  count: number,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const lines: string[] = []
  for await (const { line } of await logsOf(docker, name, { tail: count }, signal)) {
    if (line === '') continue
    lines.push(line)
    if (lines.length > count) lines.shift()
  }
  return lines
}

export type TimedLogLine = {
  readonly at: number
  readonly time: string
  readonly stream: 'stdout' | 'stderr'
  readonly text: string
}

/** Each line with the time that the engine recorded. */
export async function* timedLogsOf(
  docker: Docker,
  name: string,
  wanted: LogsWanted,
  signal: AbortSignal,
): AsyncIterable<TimedLogLine> {
  const lines = await logsOf(docker, name, { ...wanted, hasTimes: true }, signal)
  for await (const { from, line } of lines) {
    const space = line.indexOf(' ')
    const time = space < 0 ? line : line.slice(0, space)
    const at = Date.parse(time)
    if (Number.isNaN(at)) continue
    yield { at, time, stream: from, text: space < 0 ? '' : line.slice(space + 1) }
  }
}
