/** Events for many readers: numbered, kept for those who come back, made into bytes once. */
import type { Writable } from 'node:stream'
import {
  bytesOf,
  frameOf,
  greeting,
  sifted,
  type Audience,
  type Frame,
  type News,
} from './frame.ts'
import { readerOf, type Reader } from './reader.ts'
import { ringOf } from './ring.ts'

export type Feed = {
  publish(news: News): void
  /** Starts with what came after `lastId`, or with everything as it is; ends with the writable or with `leave`. */
  join(out: Writable, lastId: string | undefined, audience: Audience, leave: () => void): Reader
  part(reader: Reader): void
  beat(): void
  close(): void
  readonly count: number
}

type FeedLimits = { readonly frames: number; readonly bytes: number }

const feedLimits: FeedLimits = { frames: 2048, bytes: 2 * 1024 * 1024 }

/** `whole` tells everything as it is now: several named events, for one reader alone. */
export function feedOf(
  startedAt: number,
  whole: (audience: Audience) => readonly { readonly event: string; readonly data: unknown }[],
  limits: FeedLimits = feedLimits,
): Feed {
  // ids grow across restarts too: one of an earlier life is never taken for one of ours
  let last = startedAt * 1000
  const ring = ringOf(limits.frames, limits.bytes, last)
  const readers = new Set<Reader>()
  let batch: Frame[] = []
  let flushing: NodeJS.Immediate | undefined
  let opening: { readonly id: number; readonly bytes: Buffer } | undefined

  function flush(): void {
    if (flushing !== undefined) clearImmediate(flushing)
    flushing = undefined
    if (batch.length === 0) return
    const frames = batch
    batch = []
    const together = Buffer.concat(frames.map(({ bytes }) => bytes))
    for (const reader of readers) reader.tell(frames, together)
  }

  /** The same bytes for all who come while nothing happens. */
  function opened(audience: Audience): Buffer {
    if (audience === undefined && opening?.id === last) return opening.bytes
    const parts = whole(audience).map(({ event, data }) => bytesOf(last, event, data))
    const bytes = Buffer.concat([greeting, ...parts])
    if (audience === undefined) opening = { id: last, bytes }
    return bytes
  }

  function openingOf(lastId: string | undefined, audience: Audience): Buffer {
    const missed = lastId === undefined ? undefined : ring.after(numberIn(lastId))
    if (missed === undefined) return opened(audience)
    const own = missed.flatMap((frame) => sifted(frame, audience, true) ?? [])
    return Buffer.concat([greeting, ...own.map(({ bytes }) => bytes)])
  }

  return {
    publish(news) {
      last += 1
      const frame = frameOf(last, news)
      ring.add(frame)
      if (readers.size === 0) return
      batch.push(frame)
      flushing ??= setImmediate(flush)
    },
    join(out, lastId, audience, leave) {
      // others have what came before first: a newcomer gets it in the opening
      flush()
      const reader = readerOf(out, openingOf(lastId, audience), audience, () => {
        readers.delete(reader)
        leave()
      })
      readers.add(reader)
      return reader
    },
    part(reader) {
      readers.delete(reader)
    },
    beat() {
      for (const reader of readers) reader.beat()
    },
    close() {
      flush()
      for (const reader of readers) reader.end()
      readers.clear()
    },
    get count() {
      return readers.size
    },
  }
}

function numberIn(id: string): number {
  return /^\d{1,16}$/.test(id) ? Number(id) : -1
}
