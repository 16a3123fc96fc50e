/** How much of everything one client, one request or one stream may take. */
import type { Limit } from './access/rate.ts'

export type Limits = {
  /** Requests per token, or per address where there is none. Answers that lie ready are free for this machine itself: a proxy there speaks for many. */
  readonly reads: Limit
  /** What makes others work: changes, plans, logs, webhooks. */
  readonly dear: Limit
  /** Wrong tokens and signatures, per address. */
  readonly failures: Limit
  /** Open at once, of all together. */
  readonly connections: number
  /** Of one address that showed no right token or signature. */
  readonly unprovenPerAddress: number
  readonly streams: number
  /** Per token, or per address where there is none. */
  readonly streamsPerCaller: number
  /** ms until all headers are there, and until all of a request is. */
  readonly headers: number
  readonly request: number
  /** ms between signs of life on streams of events. */
  readonly heartbeat: number
  /** ms that running requests get when the service ends. */
  readonly farewell: number
}

export const usualLimits: Limits = {
  reads: { burst: 5000, perSecond: 1000 },
  dear: { burst: 120, perSecond: 20 },
  failures: { burst: 10, perSecond: 0.2 },
  connections: 4000,
  unprovenPerAddress: 64,
  streams: 2000,
  streamsPerCaller: 1000,
  headers: 10_000,
  request: 30_000,
  heartbeat: 15_000,
  farewell: 5000,
}
