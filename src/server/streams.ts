/** Counts open streams: each keeps a connection and some memory for as long as its reader likes. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { networkOf } from './access/address.ts'
import type { Caller } from './access/caller.ts'
import { tooMany } from './access/refusals.ts'
import type { Limits } from './limits.ts'

export type Streams = {
  /** Throws when there are too many. */
  open(
    exchange: { readonly request: IncomingMessage; readonly response: ServerResponse },
    caller: Caller,
  ): void
  /** Breaks all that are still open. */
  close(): void
}

export function streamsOf(limits: Pick<Limits, 'streams' | 'streamsPerCaller'>): Streams {
  const open = new Set<ServerResponse>()
  const perCaller = new Map<string, number>()
  return {
    open({ request, response }, caller) {
      const by =
        caller.kind === 'anybody' ? networkOf(request.socket) : `${caller.kind} ${caller.id}`
      const own = perCaller.get(by) ?? 0
      if (open.size >= limits.streams || own >= limits.streamsPerCaller) throw tooMany(10)
      open.add(response)
      perCaller.set(by, own + 1)
      response.once('close', () => {
        open.delete(response)
        const left = (perCaller.get(by) ?? 1) - 1
        if (left > 0) perCaller.set(by, left)
        else perCaller.delete(by)
      })
    },
    close() {
      for (const response of open) response.end()
    },
  }
}
