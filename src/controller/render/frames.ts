/** Messages over a pipe: a byte for the kind, four for the length, then the message as V8 writes it. */
import { deserialize, serialize } from 'node:v8'

type FrameKind = 'ready' | 'request' | 'resources' | 'answer' | 'problem'

const kinds: readonly FrameKind[] = ['ready', 'request', 'resources', 'answer', 'problem']
const headLength = 5

/** Descriptors of a render process. Nobody writes to the second: it is closed when the parent ends. */
export const channels = { messages: 3, lifeline: 4 } as const

export type Frame = { readonly kind: FrameKind; readonly payload: Buffer }

export function frameOf(kind: FrameKind, message: unknown): Buffer {
  const payload = serialize(message)
  const head = Buffer.alloc(headLength)
  head.writeUInt8(kinds.indexOf(kind), 0)
  head.writeUInt32BE(payload.length, 1)
  return Buffer.concat([head, payload])
}

/** Whoever calls it says what the other side sent. */
export function messageIn<Message>({ payload }: Frame): Message {
  const message: Message = deserialize(payload)
  return message
}

type FrameReader = {
  /** The frames that are whole by now. */
  push(part: Buffer): readonly Frame[]
}

export function frameReader(): FrameReader {
  let parts: Buffer[] = []
  let length = 0
  return {
    push(part) {
      parts.push(part)
      length += part.length
      const frames: Frame[] = []
      while (length >= headLength) {
        const head = joined(headLength)
        const size = head.readUInt32BE(1)
        if (length < headLength + size) break
        const whole = joined(headLength + size)
        const kind = kinds[whole.readUInt8(0)] ?? 'problem'
        frames.push({ kind, payload: whole.subarray(headLength, headLength + size) })
        drop(headLength + size)
      }
      return frames
    },
  }

  /** At least so many bytes in one piece: parts are joined only when a frame is whole. */
  function joined(least: number): Buffer {
    const [first] = parts
    if (first !== undefined && first.length >= least) return first
    if (length >= least) parts = [Buffer.concat(parts)]
    return parts[0] ?? Buffer.alloc(0)
  }

  function drop(count: number): void {
    const rest = joined(count).subarray(count)
    parts = rest.length === 0 ? [] : [rest, ...parts.slice(1)]
    length -= count
  }
}
