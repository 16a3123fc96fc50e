/** Gets an archive over HTTP into a file: as large as allowed, and only if it is the one that was announced. */
import { createHash, type Hash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { connect, ConnectionError } from '#clients/http/connection.ts'
import { Problem } from '#model/problem.ts'
import type { ArchiveLimits } from './unpack.ts'

export type Announced = { readonly url: string; readonly digest: string }

export async function download(
  { url, digest }: Announced,
  target: string,
  limits: ArchiveLimits,
  signal: AbortSignal,
): Promise<void> {
  const { host, port, path, tls } = placeOf(url)
  const [hash, wanted] = hashFor(digest)
  const connection = connect({ host, port, ...(tls ? { tls: { isVerified: true } } : {}) }, 1)
  const both = AbortSignal.any([signal, AbortSignal.timeout(limits.time)])
  const file = await open(target, 'w', 0o600)
  try {
    const answer = await connection.send({ method: 'GET', path, signal: both, silence: 30_000 })
    if (answer.status !== 200) throw notGiven(url, answer.status)
    let bytes = 0
    for await (const part of answer.body) {
      bytes += part.length
      if (bytes > limits.mostPacked) throw tooLarge(url, limits)
      hash.update(part)
      await file.write(part)
    }
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof Problem ? error : unreachable(url, error, both.aborted)
  } finally {
    await file.close()
    connection.close()
  }
  if (hash.digest('hex') !== wanted) throw another(url, digest)
}

const digests: Readonly<Record<string, number>> = { sha256: 64, sha384: 96, sha512: 128 }

function hashFor(digest: string): readonly [Hash, string] {
  const [name = '', hex = ''] = digest.includes(':') ? digest.split(':') : ['sha256', digest]
  if (digests[name] !== hex.length || !/^[0-9a-f]+$/.test(hex)) {
    throw problem(`its digest ${JSON.stringify(digest)} can't be checked`, false)
  }
  return [createHash(name), hex]
}

function placeOf(url: string) {
  const parsed = URL.parse(url)
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol)) {
    throw problem(`${JSON.stringify(url)} is no address of an artifact`, false)
  }
  const tls = parsed.protocol === 'https:'
  const port = parsed.port === '' ? (tls ? 443 : 80) : Number(parsed.port)
  const host = parsed.hostname.replace(/^\[|\]$/g, '')
  return { host, port, path: `${parsed.pathname}${parsed.search}`, tls }
}

/** An artifact that is no longer served has been replaced by a newer one. */
function notGiven(url: string, status: number): Problem {
  return problem(`${url} was answered with ${status}`, true)
}

function unreachable(url: string, error: unknown, isLate: boolean): Problem {
  const why = isLate
    ? 'it took too long'
    : error instanceof ConnectionError || error instanceof Error
      ? error.message
      : String(error)
  const suggestion =
    'outside of the cluster: kubectl -n flux-system port-forward svc/source-controller 9090:80, and start Tend with SOURCE_CONTROLLER_LOCALHOST=127.0.0.1:9090'
  return problem(`${url} could not be fetched: ${why}`, true, suggestion, error)
}

function tooLarge(url: string, limits: ArchiveLimits): Problem {
  const most = Math.floor(limits.mostPacked / 1024 ** 2)
  return problem(`${url} is larger than ${most} MB`, false, 'keep large files out of the source')
}

function another(url: string, digest: string): Problem {
  const suggestion = 'nothing of it is used; whoever made the source has to look'
  return problem(`what ${url} gave is not what was announced as ${digest}`, true, suggestion)
}

function problem(
  message: string,
  recoverable: boolean,
  suggestion?: string,
  cause?: unknown,
): Problem {
  return new Problem({
    type: 'runtime',
    code: 'git_error',
    message,
    suggestion,
    recoverable,
    cause,
  })
}
