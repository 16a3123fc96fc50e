/** The engines that applications run on: one post for each address, whoever names it and how. */
import type { Application } from '#model/application.ts'
import type { Board } from './board.ts'
import { checkAll } from './check.ts'
import { postAt, type Post } from './post.ts'

const usualInterval = 60_000

export type Posts = {
  /** Undefined when applications of that kind are not run. */
  for(kind: Application['kind'], target: string | undefined): Post | undefined
  all(): readonly Post[]
  /** Looks at all of them once, and listens from then on. */
  start(): Promise<void>
  stop(): Promise<void>
}

export function postsOf(board: () => Board): Posts {
  const byAddress = new Map<string, Post>()
  const byTarget = new Map<string, Post>()
  const ends = new AbortController()
  const kept: Promise<void>[] = []
  let isStarted = false

  function made(name: Application['kind'], target: string | undefined): Post | undefined {
    const { parts, metrics } = board()
    const kind = parts.kinds.find((one) => one.name === name)
    if (kind === undefined) return undefined
    const address = `${name} ${addressOf(() => kind.find(target).address) ?? target ?? ''}`
    const known = byAddress.get(address)
    if (known !== undefined) return known
    const post = postAt(kind, target, parts.instance, parts.clock, {
      interval: () => intervalFor(board(), post),
      async looked(seen) {
        await checkAll(board(), seen)
        board().wake()
      },
      isBusy: (busy, owner) => isBusy(board(), busy, owner),
      changed: () => board().wake(),
      called: () => metrics.count('tend_engine_calls_total', { kind: name }),
      bindFiles: parts.bindFiles,
      log: parts.log,
    })
    byAddress.set(address, post)
    if (isStarted) begin(post)
    return post
  }

  function begin(post: Post): void {
    kept.push(post.keep(ends.signal))
  }

  return {
    for(kind, target) {
      const key = `${kind} ${target ?? ''}`
      const post = byTarget.get(key) ?? made(kind, target)
      if (post !== undefined) byTarget.set(key, post)
      return post
    },
    all: () => [...byAddress.values()],
    async start() {
      await Promise.all([...byAddress.values()].map((post) => post.look()))
      isStarted = true
      for (const post of byAddress.values()) begin(post)
    },
    async stop() {
      ends.abort()
      await Promise.all(kept)
      for (const post of byAddress.values()) post.close()
    },
  }
}

function addressOf(find: () => string): string | undefined {
  try {
    return find()
  } catch {
    return undefined
  }
}

function intervalFor({ units }: Board, post: Post | undefined): number {
  let least = usualInterval
  for (const unit of units.values()) {
    const interval = unit.post === post ? (unit.declared?.policy.interval ?? 0) : 0
    if (interval > 0 && interval < least) least = interval
  }
  return least
}

function isBusy({ units }: Board, post: Post, owner: string | undefined): boolean {
  for (const unit of units.values()) {
    const isMeant = unit.post === post && (owner === undefined || unit.owner === owner)
    if (isMeant && unit.underWay !== undefined) return true
  }
  return false
}
