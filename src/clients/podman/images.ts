/** Images: what is there, and pulling with progress. */
import { linesOf } from '#clients/http/json-lines.ts'
import { recordOf, recordsOf, textOf, textsOf } from '#clients/http/read.ts'
import { segment, type Podman } from './client.ts'
import { refusal } from './problem.ts'

export type ListedImage = {
  readonly id: string
  /** With registry and tag: `localhost/tend/busybox:1`. */
  readonly names: readonly string[]
  /** `localhost/tend/busybox@sha256:…` */
  readonly digests: readonly string[]
}

export async function listImages(
  podman: Podman,
  signal: AbortSignal,
): Promise<readonly ListedImage[]> {
  const doing = 'could not list images'
  const { body } = await podman.ask('GET', '/images/json', { signal, doing })
  return recordsOf(body).map((item) => ({
    id: textOf(item['Id']),
    names: textsOf(item['RepoTags']),
    digests: textsOf(item['RepoDigests']),
  }))
}

/** Its id, or undefined when there is none under this name. */
export async function findImage(
  podman: Podman,
  name: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const doing = `could not look for image ${name}`
  const path = `/images/${segment(name)}/json`
  const { status, body } = await podman.ask('GET', path, { signal, doing, fine: [404] })
  return status === 404 ? undefined : textOf(recordOf(body)['Id'])
}

export type Pull = {
  readonly image: string
  readonly policy: 'always' | 'missing' | 'newer'
  /** The content of X-Registry-Auth. */
  readonly auth: string | undefined
  report(progress: string): void
}

/** The id that the name has now. A pull that fails answers 200 all the same: the error is a line of the stream. */
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
