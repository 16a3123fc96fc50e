/** The last lines that a container wrote. */
import { segment, type Kubernetes } from './client.ts'

export type LogAsked = {
  readonly namespace: string
  readonly name: string
  readonly container: string
  readonly lines: number
  /** Of the one before, which ended. */
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
