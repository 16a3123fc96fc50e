/** One event on the wire. Made once, sent to all. */
import { withoutSecretShapes } from '#model/secret-shapes.ts'
import type { Filtered } from '../overview/filter.ts'

export type Frame = {
  readonly id: number
  /** Of frames with one subject the last is enough for a reader who is behind; undefined: each counts. */
  readonly subject: string | undefined
  /** The application that it is about, for readers of one; undefined: it concerns all. */
  readonly app: string | undefined
  /** How the application is by it, for readers who want only some. */
  readonly row?: Filtered | undefined
  readonly bytes: Buffer
}

export type News = {
  readonly event: string
  readonly subject: string | undefined
  readonly app: string | undefined
  readonly row?: Filtered | undefined
  readonly data: unknown
}

export function frameOf(id: number, { event, subject, app, row, data }: News): Frame {
  return { id, subject, app, row, bytes: bytesOf(id, event, data) }
}

/** What one reader may hear of and wants to; undefined: everything. */
export type Audience =
  | {
      /** Whether it is told of at the opening. */
      hears(about: Pick<Frame, 'app' | 'subject'>): boolean
      /** The frame as this reader gets it; undefined: not at all. `wasMissed`: it comes late, to one who was away. */
      sift(frame: Frame, wasMissed: boolean): Frame | undefined
      /** It does not want everything at the opening: it reads that elsewhere, in pages. */
      readonly isBrief: boolean
    }
  | undefined

export function sifted(frame: Frame, audience: Audience, wasMissed = false): Frame | undefined {
  return audience === undefined ? frame : audience.sift(frame, wasMissed)
}

/**
 * JSON has no line breaks: one data line is always enough. In memory of its own: frames are kept, and each would keep the
 * whole piece that Node cuts small buffers from.
 */
export function bytesOf(id: number, event: string, data: unknown): Buffer {
  const text = `id: ${id}\nevent: ${event}\ndata: ${withoutSecretShapes(JSON.stringify(data))}\n\n`
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

export const heartbeat = Buffer.from(': still here\n\n')
/** How soon a browser comes back, ms. */
export const greeting = Buffer.from('retry: 2000\n\n')
