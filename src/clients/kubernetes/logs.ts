/** The logs of a container of a pod. */
import { segment, type Kubernetes } from './client.ts'

type LogAsked = {
  readonly namespace: string
  readonly name: string
  readonly container: string
  readonly lines: number
  /** Reads the logs of the container before this one, which ended. */
  readonly isPrevious?: boolean
}

export async function lastLogLines(
  kubernetes: Kubernetes,
  { namespace, name, container, lines, isPrevious }: LogAsked,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const path = `/api/v1/namespaces/${segment(namespace)}/pods/${segment(name)}/log`
  const stream = await kubernetes.stream(path, {
    query: { container, tailLines: lines, previous: isPrevious === true ? true : undefined },
    accept: '*/*',
    signal,
    silence: 5000,
    doing: `could not read the log of pod ${namespace}/${name}`,
  })
  const parts: Uint8Array[] = []
  for await (const part of stream) parts.push(part)
  const text = Buffer.concat(parts).toString('utf8').trimEnd()
  return text === '' ? [] : text.split('\n')
}

export type LogsWanted = {
  readonly tail: number | undefined
  readonly follows: boolean
  /** ms; older lines are left out. */
  readonly since: number | undefined
}

export type TimedLogLine = { readonly at: number; readonly time: string; readonly text: string }

/** Each line with the time that the node recorded. A cluster does not tell which stream a line came from. */
export async function* timedLogLines(
  kubernetes: Kubernetes,
  { namespace, name, container }: Pick<LogAsked, 'namespace' | 'name' | 'container'>,
  { tail, follows, since }: LogsWanted,
  signal: AbortSignal,
): AsyncIterable<TimedLogLine> {
  const path = `/api/v1/namespaces/${segment(namespace)}/pods/${segment(name)}/log`
  const stream = await kubernetes.stream(path, {
    query: {
      container,
      timestamps: true,
      follow: follows ? true : undefined,
      tailLines: tail,
      // whole seconds are all that it understands
      sinceTime: since === undefined ? undefined : `${new Date(since).toISOString().slice(0, 19)}Z`,
    },
    accept: '*/*',
    signal,
    ...(follows ? {} : { silence: 15_000 }),
    doing: `could not read the log of pod ${namespace}/${name}`,
  })
  for await (const line of textLinesOf(stream)) {
    const space = line.indexOf(' ')
    const time = space < 0 ? line : line.slice(0, space)
    const at = Date.parse(time)
    if (!Number.isNaN(at)) yield { at, time, text: space < 0 ? '' : line.slice(space + 1) }
  }
}

async function* textLinesOf(stream: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const part of stream) {
    const lines = (rest + decoder.decode(part, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}
