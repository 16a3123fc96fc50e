/**
 * Which bases on other machines each kustomization builds on, and at which commits. They are fetched before a render, and asked
 * for again at its interval.
 */
import { remoteBaseOf } from '#formats/kustomize/load/remote.ts'
import type { Clock } from '#model/clock.ts'
import type { Log } from '#model/log.ts'
import { problemOf } from '#model/problem.ts'
import type { BaseFetched, RemoteBases } from '#sources/remote-bases.ts'

export type RemotesBook = {
  /** The bases of a kustomization, by the address that it names. */
  of(key: string): ReadonlyMap<string, BaseFetched>
  /** False before this process built it: until then the status of its object says which commits count. */
  isKnown(key: string): boolean
  /** The kustomization was built with the bases that it has. */
  built(key: string): void
  /** A text that changes when one of the bases is at another commit. */
  mark(key: string): string
  /** Fetches the bases. False: some of them may not be fetched, or are there already. Throws a problem. */
  gather(key: string, addresses: readonly string[], signal: AbortSignal): Promise<boolean>
  /** Asks all repositories again and again, until the signal is aborted. */
  keep(signal: AbortSignal): Promise<void>
}

type RemotesBookParts = {
  readonly bases: RemoteBases
  readonly clock: Clock
  readonly log: Log
  /** The commit that the status of its object names. */
  readonly pinned: (key: string, address: string) => string | undefined
  /** How often a kustomization asks for its bases again, ms. */
  readonly interval: (key: string) => number
  /** Is called when one of the bases is at another commit. */
  readonly moved: (key: string) => void
  /** Is called when a base could not be fetched: its machine may answer later. */
  readonly missed: (key: string) => void
}

/** How much later than its interval a base may be asked for, ms. */
const nextLook = 5_000

export function remotesBook(parts: RemotesBookParts): RemotesBook {
  const { bases, clock, log, pinned, interval, moved, missed } = parts
  const books = new Map<string, ReadonlyMap<string, BaseFetched>>()
  const askedAt = new Map<string, number>()
  const underWay = new Set<string>()
  const troubles = new Map<string, string>()
  const none: ReadonlyMap<string, BaseFetched> = new Map()

  async function fetchAll(
    key: string,
    addresses: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, BaseFetched>> {
    const pairs = await Promise.all(
      addresses.map(async (address) => {
        const asked = remoteBaseOf(address)
        if (asked === undefined) throw new TypeError(`${address} is no remote base`)
        const known = books.get(key)?.get(address)?.commit ?? pinned(key, address)
        return [address, await bases.fetch(asked, known, signal)] as const
      }),
    )
    askedAt.set(key, clock.now())
    return new Map(pairs)
  }

  function markOf(book: ReadonlyMap<string, BaseFetched>): string {
    return [...book].map(([address, { commit }]) => `${address} ${commit}`).join('\n')
  }

  /** A base that can't be fetched now stays at its commit, which is reported once. */
  async function renew(key: string, signal: AbortSignal): Promise<void> {
    const book = books.get(key) ?? none
    const now = await fetchAll(key, [...book.keys()], signal).catch((thrown: unknown) => {
      signal.throwIfAborted()
      const why = problemOf(thrown).message
      if (troubles.get(key) !== why) {
        log('warning', 'a remote base stays at the commit before', { set: key, why })
      }
      troubles.set(key, why)
      return undefined
    })
    askedAt.set(key, clock.now())
    if (now === undefined) return
    troubles.delete(key)
    if (markOf(now) === markOf(book)) return
    // a render may have asked for more meanwhile
    books.set(key, new Map([...(books.get(key) ?? none), ...now]))
    moved(key)
  }

  return {
    of: (key) => books.get(key) ?? none,
    isKnown: (key) => books.has(key),
    built(key) {
      if (!books.has(key)) books.set(key, none)
    },
    mark: (key) => markOf(books.get(key) ?? none),
    async gather(key, addresses, signal) {
      const before = books.get(key) ?? none
      const news = addresses.filter((address) => !before.has(address))
      const isAllowed = news.every((address) => {
        const asked = remoteBaseOf(address)
        return asked !== undefined && bases.isAllowed(asked)
      })
      if (news.length === 0 || !isAllowed) return false
      try {
        books.set(key, new Map([...before, ...(await fetchAll(key, news, signal))]))
      } catch (thrown) {
        missed(key)
        throw thrown
      }
      return true
    },
    async keep(signal) {
      while (!signal.aborted) {
        await clock.sleep(nextLook, signal)
        for (const key of books.keys()) {
          if (clock.now() - (askedAt.get(key) ?? 0) < interval(key) || underWay.has(key)) continue
          underWay.add(key)
          // one that does not answer holds up nobody else; only the signal makes it fail
          void renew(key, signal)
            .catch(() => undefined)
            .finally(() => underWay.delete(key))
        }
      }
    },
  }
}
