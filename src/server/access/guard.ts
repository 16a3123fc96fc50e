/** Decides whether a request may go on: where it comes from, how often, and with which role. */
import type { IncomingMessage } from 'node:http'
import type { Clock } from '#model/clock.ts'
import { problemOf } from '#model/problem.ts'
import type { Limits } from '../limits.ts'
import type { Route } from '../route.ts'
import { covers, type Keeper } from './keeper.ts'
import { checkOrigin, isLoopback, type OriginRules } from './origin-check.ts'
import { rateOf } from './rate.ts'
import { forbidden, tooMany } from './refusals.ts'

export type Guard = {
  /** Throws when it may not. */
  admit(request: IncomingMessage, route: Route): Promise<void> | undefined
  /** Any request, before it is known what it is for. */
  greet(request: IncomingMessage): void
  /** Tells how a signed request ended: wrong signatures count as failures. */
  failed(address: string): number
}

export function guardOf(
  keeper: Keeper,
  rules: () => OriginRules,
  limits: Limits,
  clock: Pick<Clock, 'now'>,
): Guard {
  const reads = rateOf(limits.reads, clock)
  const dear = rateOf(limits.dear, clock)
  const failures = rateOf(limits.failures, clock)

  async function identify(request: IncomingMessage, needed: 'read' | 'sync' | 'admin') {
    const role = await keeper.roleOf(request.headers.authorization).catch((thrown: unknown) => {
      // tokens can't be guessed: who has a right one is never locked out by others at the same address
      const wait = failures.take(addressOf(request))
      throw wait > 0 ? tooMany(wait) : problemOf(thrown)
    })
    if (covers(role, needed)) return
    throw forbidden(`a token of role ${role} may not do this`, `use one of role ${needed}`)
  }

  return {
    greet(request) {
      checkOrigin(request, rules())
    },
    admit(request, route) {
      const address = addressOf(request)
      const isFree = route.cost !== 'dear' && isLoopback(address)
      const wait = isFree ? 0 : (route.cost === 'dear' ? dear : reads).take(address)
      if (wait > 0) throw tooMany(wait)
      const { access } = route
      if (access === 'open' || access === 'signed') return undefined
      return identify(request, access)
    },
    failed: (address) => failures.take(address),
  }
}

/** Whole networks of IPv6 count as one: a client has billions of addresses there. */
export function addressOf({ socket }: IncomingMessage): string {
  const address = socket.remoteAddress ?? ''
  if (address.startsWith('::ffff:')) return address.slice(7)
  if (!address.includes(':') || address === '::1') return address
  return address.split(':').slice(0, 4).join(':')
}
