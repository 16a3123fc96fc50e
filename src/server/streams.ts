/** Counts open streams: each keeps a connection and some memory for as long as its reader likes. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
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
  /** Breaks those whose reader may not read them any more, or may see other things by now: it comes back with what it may. */
  check(callerNow: (headers: IncomingHttpHeaders) => Promise<Caller | undefined>): Promise<void>
  /** Breaks all that are still open. */
  close(): void
}

export function streamsOf(limits: Pick<Limits, 'streams' | 'streamsPerCaller'>): Streams {
  const open = new Map<
    ServerResponse,
    { readonly headers: IncomingHttpHeaders; readonly caller: Caller }
  >()
  const perCaller = new Map<string, number>()
  return {
    open({ request, response }, caller) {
      const by =
        caller.kind === 'anybody' ? networkOf(request.socket) : `${caller.kind} ${caller.id}`
      const own = perCaller.get(by) ?? 0
      if (open.size >= limits.streams || own >= limits.streamsPerCaller) throw tooMany(10)
      open.set(response, { headers: request.headers, caller })
      perCaller.set(by, own + 1)
      response.once('close', () => {
        open.delete(response)
        const left = (perCaller.get(by) ?? 1) - 1
        if (left > 0) perCaller.set(by, left)
        else perCaller.delete(by)
      })
    },
    async check(callerNow) {
      for (const [response, { headers, caller }] of open) {
        const now = await callerNow(headers)
        if (now === undefined || rightsOf(now) !== rightsOf(caller)) response.end()
      }
    },
    close() {
      for (const response of open.keys()) response.end()
    },
  }
}

function rightsOf({ kind, id, role, apps }: Caller): string {
  return JSON.stringify([kind, id, role, apps])
}
