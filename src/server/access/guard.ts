/** Lets a request in, or says why not: who asks, whether they may, and how often. */
import type { IncomingMessage } from 'node:http'
import type { Clock } from '#model/clock.ts'
import type { AuditNote } from '../audit.ts'
import type { Connections } from '../connections.ts'
import type { Limits } from '../limits.ts'
import type { Role, Route } from '../route.ts'
import { networkOf } from './address.ts'
import { anybody, isBorrowable, type Caller, type LabelsOf } from './caller.ts'
import { covers, type Keeper } from './keeper.ts'
import { checkOrigin, isLoopback, type OriginRules } from './origin-check.ts'
import { rateOf } from './rate.ts'
import { forbidden, tooMany } from './refusals.ts'
import { goesByLabels } from './scope.ts'

export type Guard = {
  /** Who asks; throws when they may not. Of a signed route the proof is still to come. */
  admit(request: IncomingMessage, route: Route, note: AuditNote): Promise<Caller>
  /** A page or a path that leads nowhere. */
  greet(request: IncomingMessage): void
  /** A signature was right: the connection counts as that of a right token does. */
  proven(request: IncomingMessage): void
  /** A signature was wrong. Gives the seconds to wait when there were too many. */
  failed(request: IncomingMessage): number
}

type GuardParts = {
  readonly keeper: Keeper
  readonly rules: OriginRules
  readonly limits: Limits
  readonly connections: Connections
  readonly clock: Pick<Clock, 'now'>
  readonly labelsOf: LabelsOf
}

export function guardOf(parts: GuardParts): Guard {
  const { keeper, rules, limits, connections, clock, labelsOf } = parts
  const reads = rateOf(limits.reads, clock)
  const dear = rateOf(limits.dear, clock)
  const failures = rateOf(limits.failures, clock)

  function failed({ socket }: IncomingMessage): number {
    connections.proved(socket, false)
    return failures.take(networkOf(socket))
  }

  async function identify(
    request: IncomingMessage,
    needed: Role,
    note: AuditNote,
  ): Promise<Caller> {
    const found = await keeper.callerOf(request.headers)
    if ('refusal' in found) {
      const { refusal, detail, caller: known, isEmpty } = found
      note.detail = detail
      note.caller = known
      // a browser opens its page with nothing in hand, and behind a proxy all of them have one address: they all see the login
      if (isEmpty) {
        connections.proved(request.socket, false)
        throw refusal
      }
      // wrong tries are counted by address; they never shut out a right token from the same address
      const wait = failed(request)
      throw wait > 0 ? tooMany(wait) : refusal
    }
    const caller = found
    // a header that any page can send proves nothing: only a token that was found right does
    if (isBorrowable(caller)) checkOrigin(request, rules)
    connections.proved(request.socket, true)
    note.caller = caller
    const { role } = caller
    if (role !== undefined && covers(role, needed)) {
      const { changes } = caller
      return needed === 'read' || changes === undefined ? caller : { ...caller, apps: changes }
    }
    throw forbidden(
      `a token of role ${role ?? 'none'} may not do this`,
      `use one of role ${needed}`,
    )
  }

  /** Each token has its own measure, so that nobody else can use it up; whoever has none shares that of the address. */
  function measure({ socket }: IncomingMessage, { cost }: Route, caller: Caller): void {
    const network = networkOf(socket)
    if (cost !== 'dear' && isLoopback(network)) return
    const key = caller.kind === 'anybody' ? network : `${caller.kind} ${caller.id}`
    const wait = (cost === 'dear' ? dear : reads).take(key)
    if (wait > 0) throw tooMany(wait)
  }

  return {
    greet(request) {
      // a link on another site, or the way back from a login, opens the page; no page may be put into a frame
      const isOpened = request.method === 'GET' && request.headers['sec-fetch-mode'] === 'navigate'
      checkOrigin(request, rules, isOpened)
    },
    async admit(request, route, note) {
      const { access } = route
      const isForAll = access === 'open' || access === 'signed'
      const caller = isForAll ? anybody : await identify(request, access, note)
      measure(request, route, caller)
      return goesByLabels(caller) ? { ...caller, labelsOf } : caller
    },
    proven: ({ socket }) => connections.proved(socket, true),
    failed,
  }
}
