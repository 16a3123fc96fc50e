/** Buckets per address: each request takes a drop, time fills them again. */
import type { Clock } from '#model/clock.ts'

export type Limit = { readonly burst: number; readonly perSecond: number }

export type Rate = {
  /** Seconds to wait; 0: it may pass, and a drop is taken. */
  take(address: string): number
}

/** More addresses than this at once: the fullest buckets are forgotten, which only forgives. */
const most = 10_000

type Bucket = { drops: number; at: number }

export function rateOf({ burst, perSecond }: Limit, clock: Pick<Clock, 'now'>): Rate {
  const buckets = new Map<string, Bucket>()

  function filled(bucket: Bucket, now: number): number {
    return Math.min(burst, bucket.drops + (Math.max(0, now - bucket.at) / 1000) * perSecond)
  }

  function forget(now: number): void {
    for (const [address, bucket] of buckets) {
      if (filled(bucket, now) >= burst) buckets.delete(address)
    }
    for (const address of buckets.keys()) {
      if (buckets.size < most) break
      buckets.delete(address)
    }
  }

  return {
    take(address) {
      const now = clock.now()
      let bucket = buckets.get(address)
      if (bucket === undefined) {
        if (buckets.size >= most) forget(now)
        bucket = { drops: burst, at: now }
        buckets.set(address, bucket)
      }
      bucket.drops = filled(bucket, now)
      bucket.at = now
      if (bucket.drops < 1) return Math.ceil((1 - bucket.drops) / perSecond)
      bucket.drops -= 1
      return 0
    },
  }
}
