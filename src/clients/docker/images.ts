/** Images: what is there, and pulling with progress. */
import { inspected, segment } from '#clients/containers/calls.ts'
import { linesOf } from '#clients/http/json-lines.ts'
import { numberOf, recordOf, textOf } from '#model/read-json.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Docker } from './client.ts'
import { refusal } from './problem.ts'

export { listImages } from '#clients/containers/calls.ts'

/** Undefined when there is none under this name or id. */
export function inspectImage(
  docker: Docker,
  name: string,
  signal: AbortSignal,
): Promise<JsonRecord | undefined> {
  return inspected(docker, `image ${name}`, `/images/${segment(name)}/json`, signal)
}

/** The names of the annotations of an image's manifest, which only Podman gives to containers: it tells them in libpod's API alone. */
export async function imageAnnotations(
  docker: Docker,
  name: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { body } = await docker.ask('GET', `/v4.0.0/libpod/images/${segment(name)}/json`, {
    signal,
    doing: `could not inspect image ${name}`,
    isBare: true,
    fine: [400, 404],
  })
  return Object.keys(recordOf(recordOf(body)['Annotations']))
}

/** Gives whether the image was removed. An image that is in use, or has several names, stays. */
export async function removeImage(
  docker: Docker,
  id: string,
  signal: AbortSignal,
): Promise<boolean> {
  const doing = `could not remove image ${id}`
  const path = `/images/${segment(id)}`
  const { status } = await docker.ask('DELETE', path, { signal, doing, fine: [404, 409] })
  return status < 300
}

export type PullProgress = {
  /** A layer's short id; empty when it is about the whole image. */
  readonly layer: string
  readonly status: string
  /** Bytes so far and in all; 0 where the engine does not tell. */
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

/** Gives the id that the name has now. A pull may fail after it answered 200: the error is then a line of the stream. */
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

/** Without a tag an engine pulls every tag that there is, so `latest` is sent explicitly. */
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
