/** Counts open streams: each keeps a connection and some memory for as long as its reader likes. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { addressOf } from './access/guard.ts'
import { tooMany } from './access/refusals.ts'
import type { Limits } from './limits.ts'

export type Streams = {
  /** Throws when there are too many. */
  open(exchange: { readonly request: IncomingMessage; readonly response: ServerResponse }): void
  /** Breaks all that are still open. */
  close(): void
}

export function streamsOf(limits: Pick<Limits, 'streams' | 'streamsPerAddress'>): Streams {
  const open = new Set<ServerResponse>()
  const perAddress = new Map<string, number>()
  return {
    open({ request, response }) {
      const address = addressOf(request)
      const own = perAddress.get(address) ?? 0
      if (open.size >= limits.streams || own >= limits.streamsPerAddress) throw tooMany(10)
      open.add(response)
      perAddress.set(address, own + 1)
      response.once('close', () => {
        open.delete(response)
        const left = (perAddress.get(address) ?? 1) - 1
        if (left > 0) perAddress.set(address, left)
        else perAddress.delete(address)
      })
    },
    close() {
      for (const response of open) response.end()
    },
  }
}
