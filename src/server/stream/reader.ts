/** One who listens. A slow one costs no more than the last frame of each subject, and is let go in the end. */
import type { Writable } from 'node:stream'
import { heartbeat, sifted, type Audience, type Frame } from './frame.ts'

/** What of frames without a subject (steps of runs) may wait for a slow reader. */
const mostWaiting = 512
/** Heartbeats that a reader may leave unread before it is let go. */
const patience = 3

export type Reader = {
  /** For those who are abreast one buffer with all frames of a moment; the others pick what they need. */
  tell(frames: readonly Frame[], together: Buffer): void
  beat(): void
  /** Ends the stream in good order. */
  end(): void
}

export function readerOf(
  out: Writable,
  opening: Buffer,
  audience: Audience,
  leave: (reason: 'slow') => void,
): Reader {
  /** By subject, in the order of their ids; there only while the pipe is full. */
  const waiting = new Map<string | number, Frame>()
  let isFull = false
  let unread = 0
  /** Of those waiting, the ones without a subject. */
  let steps = 0

  function write(bytes: Buffer): void {
    isFull = !out.write(bytes)
  }

  function keep(frame: Frame): void {
    const key = frame.subject ?? frame.id
    waiting.delete(key)
    waiting.set(key, frame)
    if (frame.subject !== undefined) return
    steps += 1
    if (steps > mostWaiting) leave('slow')
  }

  function flush(): void {
    isFull = false
    unread = 0
    for (const [key, frame] of waiting) {
      waiting.delete(key)
      if (frame.subject === undefined) steps -= 1
      write(frame.bytes)
      if (isFull) return
    }
  }

  out.on('drain', flush)
  write(opening)
  return {
    tell(frames, together) {
      if (!isFull && audience === undefined) return write(together)
      for (const frame of frames) {
        const own = sifted(frame, audience)
        if (own === undefined) continue
        if (isFull) keep(own)
        else write(own.bytes)
      }
    },
    beat() {
      if (!isFull) return write(heartbeat)
      unread += 1
      if (unread >= patience) leave('slow')
    },
    end() {
      waiting.clear()
      out.end()
    },
  }
}
