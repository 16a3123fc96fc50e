/** Images: what is there, and pulling with progress. */
import { inspected, segment } from '#clients/containers/calls.ts'
import { linesOf } from '#clients/http/json-lines.ts'
import { recordOf, textOf } from '#model/read-json.ts'
import type { Podman } from './client.ts'
import { refusal } from './problem.ts'

export { listImages } from '#clients/containers/calls.ts'

/** Gives the id of the image with this name; undefined: Podman has none. */
export async function findImage(
  podman: Podman,
  name: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const path = `/images/${segment(name)}/json`
  const found = await inspected(podman, `image ${name}`, path, signal)
  return found && textOf(found['Id'])
}

/** The names of the annotations of an image's manifest, which its containers get. */
export async function imageAnnotations(
  podman: Podman,
  name: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const found = await inspected(podman, `image ${name}`, `/images/${segment(name)}/json`, signal)
  return Object.keys(recordOf(found?.['Annotations']))
}

export type Pull = {
  readonly image: string
  readonly policy: 'always' | 'missing' | 'newer'
  /** The content of X-Registry-Auth. */
  readonly auth: string | undefined
  report(progress: string): void
}

/** Gives the id that the name has now. A pull that fails answers 200 all the same: the error is a line of the stream. */
export async function pullImage(podman: Podman, pull: Pull, signal: AbortSignal): Promise<string> {
  const doing = `could not pull image ${pull.image}`
  const stream = await podman.stream('POST', '/images/pull', {
    query: { reference: pull.image, policy: pull.policy },
    headers: pull.auth === undefined ? {} : { 'X-Registry-Auth': pull.auth },
    signal,
    doing,
    silence: 600_000,
  })
  let id = ''
  for await (const line of linesOf(stream)) {
    const error = textOf(line['error'])
    if (error !== '') throw refusal(doing, 500, JSON.stringify({ message: error }))
    const progress = textOf(line['stream']).trim()
    if (progress !== '') pull.report(progress)
    id = textOf(line['id']) || id
  }
  return id
}
