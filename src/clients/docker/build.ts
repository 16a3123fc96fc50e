/** Builds an image from a context that is streamed to the engine. */
import { linesOf } from '#clients/http/json-lines.ts'
import { recordOf, textOf } from '#model/read-json.ts'
import { authHeader } from '#clients/registry/auth-header.ts'
import type { Json } from '#model/json.ts'
import type { Docker } from './client.ts'
import { inspectImage } from './images.ts'
import { refusal } from './problem.ts'

type Build = {
  /** The name that the image gets. */
  readonly tag: string
  /** What a person calls it, where that is another name. */
  readonly shown?: string
  /** A tar archive of the context, which holds the Dockerfile. */
  readonly context: Uint8Array | AsyncIterable<Uint8Array>
  /** The path of the Dockerfile in the context. */
  readonly dockerfile: string
  readonly arguments?: Readonly<Record<string, string | null>>
  readonly labels?: Readonly<Record<string, string>>
  readonly stage?: string | undefined
  readonly platform?: string | undefined
  readonly network?: string | undefined
  readonly extraHosts?: readonly string[]
  readonly cacheFrom?: readonly string[]
  readonly shmSize?: number | undefined
  readonly isUncached?: boolean
  /** Whether newer versions of the base images are looked for. */
  readonly isPulling?: boolean
  /** The logins for the base images, by registry. */
  readonly logins?: Readonly<Record<string, Json>>
  /** Neither reported nor told in an error, though the engine repeats it. */
  readonly hides?: string | undefined
  report(line: string): void
}

/** Gives the id of the image. A failed build has answered 200 long before: the error is a line of the stream. */
export async function buildImage(
  docker: Docker,
  build: Build,
  signal: AbortSignal,
): Promise<string> {
  const doing = `could not build image ${build.shown ?? build.tag}`
  const stream = await docker.stream('POST', '/build', {
    query: {
      t: build.tag,
      dockerfile: build.dockerfile,
      buildargs: JSON.stringify(build.arguments ?? {}),
      labels: JSON.stringify(build.labels ?? {}),
      target: build.stage,
      platform: build.platform,
      networkmode: build.network,
      extrahosts: build.extraHosts,
      cachefrom: build.cacheFrom === undefined ? undefined : JSON.stringify(build.cacheFrom),
      shmsize: build.shmSize,
      nocache: build.isUncached ?? false,
      pull: build.isPulling ?? false,
      rm: true,
      forcerm: true,
    },
    headers: { 'X-Registry-Config': authHeader(build.logins ?? {}) },
    body: build.context,
    signal,
    doing,
    silence: 0,
  })
  const last: string[] = []
  const { hides = '' } = build
  const shown = (text: string): string => (hides === '' ? text : text.replaceAll(hides, '…'))
  for await (const line of linesOf(stream.body)) {
    const error = shown(textOf(line['error']))
    if (error !== '') throw failed(doing, error, last)
    const text = shown(textOf(line['stream']).trimEnd())
    if (text === '') continue
    build.report(text)
    last.push(text)
    if (last.length > 10) last.shift()
  }
  const found = recordOf(await inspectImage(docker, build.tag, signal))
  return textOf(found['Id'])
}

/** The output of a failed command comes before the line that says that it failed. */
function failed(doing: string, error: string, last: readonly string[]): unknown {
  const message = [error, ...last.map((line) => `  ${line}`)].join('\n')
  return refusal(doing, 500, JSON.stringify({ message }))
}
