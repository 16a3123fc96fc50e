/** Which bases on other machines each kustomization builds on, and at which commits: fetched before a render, asked again in its interval. */
import { remoteBaseOf } from '#formats/kustomize/load/remote.ts'
import type { Clock } from '#model/clock.ts'
import type { BaseFetched, RemoteBases } from '#sources/remote-bases.ts'

export type RemotesBook = {
  /** By the address that the kustomization names. */
  of(key: string): ReadonlyMap<string, BaseFetched>
  /** Changes when one of them is at another commit. */
  mark(key: string): string
  /** False: some of them may not be fetched, or are there already. Throws a problem. */
  gather(key: string, addresses: readonly string[], signal: AbortSignal): Promise<boolean>
  /** Asks all repositories again, until the signal. */
  keep(signal: AbortSignal): Promise<void>
}

export type RemotesBookParts = {
  readonly bases: RemoteBases
  readonly clock: Clock
  /** The commit that the status of its object names. */
  readonly pinned: (key: string, address: string) => string | undefined
  /** How often it looks again, ms. */
  readonly interval: (key: string) => number
  /** One of its bases is at another commit. */
  readonly moved: (key: string) => void
  /** One could not be fetched: its machine may answer later. */
  readonly missed: (key: string) => void
}

/** ms */
const nextLook = 15_000

export function remotesBook(parts: RemotesBookParts): RemotesBook {
  const { bases, clock, pinned, interval, moved, missed } = parts
  const books = new Map<string, ReadonlyMap<string, BaseFetched>>()
  const askedAt = new Map<string, number>()
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

  return {
    of: (key) => books.get(key) ?? none,
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
        for (const [key, book] of books) {
          if (clock.now() - (askedAt.get(key) ?? 0) < interval(key)) continue
          // what can't be asked now stays at the commit that it is at
          const now = await fetchAll(key, [...book.keys()], signal).catch(() => book)
          askedAt.set(key, clock.now())
          if (markOf(now) === markOf(book)) continue
          books.set(key, now)
          moved(key)
        }
      }
    },
  }
}
