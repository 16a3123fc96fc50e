/** One event on the wire. Made once, sent to all. */

export type Frame = {
  readonly id: number
  /** Of frames with one subject the last is enough for a reader who is behind; undefined: each counts. */
  readonly subject: string | undefined
  /** The application that it is about, for readers of one; undefined: it concerns all. */
  readonly app: string | undefined
  readonly bytes: Buffer
}

export type News = {
  readonly event: string
  readonly subject: string | undefined
  readonly app: string | undefined
  readonly data: unknown
}

export function frameOf(id: number, { event, subject, app, data }: News): Frame {
  return { id, subject, app, bytes: bytesOf(id, event, data) }
}

/** What one reader may hear of and wants to; undefined: everything. */
export type Audience = ((about: Pick<Frame, 'app' | 'subject'>) => boolean) | undefined

export function concerns(frame: Frame, audience: Audience): boolean {
  return audience === undefined || audience(frame)
}

/**
 * JSON has no line breaks: one data line is always enough. In memory of its own: frames are kept, and each would keep the
 * whole piece that Node cuts small buffers from.
 */
export function bytesOf(id: number, event: string, data: unknown): Buffer {
  const text = `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

export const heartbeat = Buffer.from(': still here\n\n')
/** How soon a browser comes back, ms. */
export const greeting = Buffer.from('retry: 2000\n\n')
