/** Images: what is there, and pulling with progress. */
import { linesOf } from '#clients/http/json-lines.ts'
import { numberOf, recordOf, recordsOf, textOf, textsOf } from '#clients/http/read.ts'
import type { JsonRecord } from '#model/json.ts'
import { segment, type Docker } from './client.ts'
import { refusal } from './problem.ts'

export type ListedImage = {
  /** `sha256:…` */
  readonly id: string
  /** With tag: `nginx:1.27`, and with registry from Podman. */
  readonly names: readonly string[]
  /** `nginx@sha256:…` */
  readonly digests: readonly string[]
}

export async function listImages(
  docker: Docker,
  signal: AbortSignal,
): Promise<readonly ListedImage[]> {
  const doing = 'could not list images'
  const { body } = await docker.ask('GET', '/images/json', { signal, doing })
  return recordsOf(body).map((item) => ({
    id: textOf(item['Id']),
    names: textsOf(item['RepoTags']),
    digests: textsOf(item['RepoDigests']),
  }))
}

/** Undefined when there is none under this name or id. */
export async function inspectImage(
  docker: Docker,
  name: string,
  signal: AbortSignal,
): Promise<JsonRecord | undefined> {
  const doing = `could not look at image ${name}`
  const path = `/images/${segment(name)}/json`
  const { status, body } = await docker.ask('GET', path, { signal, doing, fine: [404] })
  return status === 404 ? undefined : recordOf(body)
}

export type PullProgress = {
  /** A layer's short id; empty when it is about the whole image. */
  readonly layer: string
  readonly status: string
  /** Bytes so far and in all; 0 when not told. */
  readonly current: number
  readonly total: number
}

export type Pull = {
  readonly image: string
  readonly platform?: string | undefined
  /** The content of X-Registry-Auth. */
  readonly auth: string | undefined
  report(progress: PullProgress): void
}

/** The id that the name has now. A pull may fail after it answered 200: the error is then a line of the stream. */
export async function pullImage(docker: Docker, pull: Pull, signal: AbortSignal): Promise<string> {
  const doing = `could not pull image ${pull.image}`
  const { name, version } = partsOf(pull.image)
  const stream = await docker.stream('POST', '/images/create', {
    query: { fromImage: name, tag: version, platform: pull.platform },
    headers: pull.auth === undefined ? {} : { 'X-Registry-Auth': pull.auth },
    signal,
    doing,
    silence: 600_000,
  })
  for await (const line of linesOf(stream.body)) {
    const error = textOf(line['error'])
    if (error !== '') throw refusal(doing, 500, JSON.stringify({ message: error }))
    pull.report(progressOf(line))
  }
  const found = await inspectImage(docker, pull.image, signal)
  if (found !== undefined) return textOf(found['Id'])
  throw refusal(doing, 404, JSON.stringify({ message: `no such image: ${pull.image}` }))
}

/** Without a tag an engine pulls every tag there is: latest is said in so many words. */
export function partsOf(image: string): { readonly name: string; readonly version: string } {
  const at = image.indexOf('@')
  const tagged = at < 0 ? image : image.slice(0, at)
  const colon = tagged.lastIndexOf(':')
  const hasTag = colon > tagged.lastIndexOf('/')
  const name = hasTag ? tagged.slice(0, colon) : tagged
  if (at >= 0) return { name, version: image.slice(at + 1) }
  return { name, version: hasTag ? tagged.slice(colon + 1) : 'latest' }
}

function progressOf(line: JsonRecord): PullProgress {
  const detail = recordOf(line['progressDetail'])
  return {
    layer: textOf(line['id']),
    status: (textOf(line['status']) || textOf(line['stream'])).trim(),
    current: numberOf(detail['current']),
    total: numberOf(detail['total']),
  }
}
