/** Asks a container over HTTP from here, where its address or a published port can be reached. */
import type { InspectedContainer } from '#model/container-engine.ts'
import type { LookContext } from './look-context.ts'
import type { HealthSpec } from '../spec.ts'

type HttpAnswer =
  | { readonly kind: 'answered'; readonly status: number }
  | { readonly kind: 'silent'; readonly why: string }

/** Undefined when there is no way to it from here. */
export async function answerOf(
  context: LookContext,
  check: NonNullable<HealthSpec['http']>,
  health: HealthSpec,
): Promise<HttpAnswer | undefined> {
  const place = placeOf(context.found, check.port)
  if (place === undefined) return undefined
  return ask(place, check.path, health.timeoutSeconds * 1000, context.signal)
}

type PublishedAddress = { readonly host: string; readonly port: number }

/** The published port is what users see; the address on a bridge is there for root only. */
function placeOf(
  { bindings, networks }: InspectedContainer,
  port: number,
): PublishedAddress | undefined {
  const [binding] = bindings[`${port}/tcp`] ?? []
  if (binding !== undefined && binding.hostPort > 0) {
    const { hostIP: host, hostPort } = binding
    return { host: host === '' || host === '0.0.0.0' ? '127.0.0.1' : host, port: hostPort }
  }
  if (process.getuid?.() !== 0) return undefined
  const hosts = Object.values(networks).flatMap(({ addresses }) => addresses)
  const host = hosts.find((address) => !address.includes(':'))
  return host === undefined ? undefined : { host, port }
}

/** Not over the clients' connection: each probe is a caller of its own, and its failure says nothing of Podman. */
function ask(
  place: PublishedAddress,
  path: string,
  limit: number,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const http = process.getBuiltinModule('node:http')
  return new Promise((resolve) => {
    const options = { ...place, path, agent: false, timeout: limit, signal }
    const call = http.get(options, (response) => {
      response.resume()
      resolve({ kind: 'answered', status: response.statusCode ?? 0 })
    })
    call.on('timeout', () => call.destroy(new Error(`no answer in ${limit / 1000} s`)))
    call.on('error', (error) => resolve({ kind: 'silent', why: wordsOf(error) }))
  })
}

function wordsOf(error: Error): string {
  const code = 'code' in error ? error.code : undefined
  if (code === 'ECONNREFUSED') return 'connection refused'
  return code === 'ECONNRESET' ? 'the connection was closed' : error.message
}
