/** Calls over HTTP/1.1, for servers and proxies that speak nothing newer: kept connections, so many at once. */
import type { Agent, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { ConnectionError } from '#clients/http/connection.ts'
import type { ChannelAnswer, ChannelCall } from './channel.ts'
import type { Certificate, ClusterAccess } from './cluster-access.ts'
import { builtin, dial, tunnel } from './dial.ts'
import type { SessionTimes } from './session.ts'

export type Plain = {
  send(call: ChannelCall, certificate: Certificate | undefined): Promise<ChannelAnswer>
  close(): void
}

const most = 32

export function openPlain(access: ClusterAccess, times: SessionTimes): Plain {
  // what lasts must not take the lines of calls that end
  let agents: { calls: Agent; watches: Agent } | undefined
  let shown: Certificate | undefined

  function agentsFor(certificate: Certificate | undefined): { calls: Agent; watches: Agent } {
    if (certificate?.cert !== shown?.cert) close()
    shown = certificate
    agents ??= { calls: agentOf(certificate, most), watches: agentOf(certificate, Infinity) }
    return agents
  }

  function agentOf(certificate: Certificate | undefined, maxSockets: number): Agent {
    const { Agent: HttpAgent } = builtin('node:http')
    const agent = new HttpAgent({ keepAlive: true, maxSockets })
    agent.createConnection = (_options, done): Duplex | undefined => {
      if (access.proxy === undefined) return dial(access, certificate, ['http/1.1'])
      void dug(access.proxy, certificate).then(([error, line]) => {
        // oxlint-disable-next-line promise/no-callback-in-promise, typescript/no-unsafe-type-assertion -- the agent wants it so, and takes nothing instead of a line
        done?.(error, line as Duplex)
      })
      return undefined
    }
    return agent
  }

  async function dug(
    proxy: string,
    certificate: Certificate | undefined,
  ): Promise<readonly [Error | null, Duplex?]> {
    try {
      const line = await tunnel(proxy, access.server, times.connect)
      return [null, dial(access, certificate, ['http/1.1'], line)]
    } catch (error) {
      return [error instanceof Error ? error : new Error(String(error))]
    }
  }

  function close(): void {
    agents?.calls.destroy()
    agents?.watches.destroy()
    agents = undefined
  }

  return {
    async send(call, certificate) {
      const { calls, watches } = agentsFor(certificate)
      const answer = await once(access, call, call.silence === undefined ? watches : calls)
      const { statusCode = 0, headers } = answer
      return { status: statusCode, headers, body: bodyOf(answer) }
    },
    close,
  }
}

function once(access: ClusterAccess, call: ChannelCall, agent: Agent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { host, hostname } = new URL(access.server)
    const headers: Record<string, string | string[]> = { host }
    for (const [name, value] of Object.entries(call.headers)) {
      headers[name] = typeof value === 'string' ? value : [...value]
    }
    const { method, path, signal, silence } = call
    const asked = builtin('node:http').request({
      agent,
      host: hostname,
      method,
      path,
      headers,
      signal,
    })
    asked.once('response', resolve)
    asked.on('error', (error) => reject(new ConnectionError(codeIn(error), error.message, error)))
    if (silence !== undefined) {
      const message = `no answer in ${Math.round(silence / 1000)} s`
      asked.setTimeout(silence, () =>
        asked.destroy(new ConnectionError('SILENT', message, undefined)),
      )
    }
    asked.end(call.body)
  })
}

async function* bodyOf(answer: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* answer
  } catch (error) {
    throw new ConnectionError(codeIn(error), 'the answer broke off', error)
  }
}

function codeIn(error: unknown): string {
  if (error instanceof ConnectionError) return error.code
  const isCoded = error instanceof Error && 'code' in error && typeof error.code === 'string'
  return isCoded ? String(error.code) : 'UNKNOWN'
}
