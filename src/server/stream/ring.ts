/** The last frames, for readers who come back: bounded by their number and their bytes. */
import type { Frame } from './frame.ts'
import { defined } from '#model/defined.ts'

type Ring = {
  add(frame: Frame): void
  /** All after this id; undefined when some of them are gone, or the id is none of ours. */
  after(id: number): readonly Frame[] | undefined
}

export function ringOf(mostFrames: number, mostBytes: number, first: number): Ring {
  const frames: (Frame | undefined)[] = []
  let head = 0
  let bytes = 0
  /** Everything up to this id is gone. */
  let lost = first
  let last = first

  function dropOldest(): void {
    const oldest = defined(frames[head])
    frames[head] = undefined
    head += 1
    bytes -= oldest.bytes.length
    lost = oldest.id
    if (head < 1024) return
    frames.splice(0, head)
    head = 0
  }

  return {
    add(frame) {
      frames.push(frame)
      bytes += frame.bytes.length
      last = frame.id
      while (frames.length - head > mostFrames || (bytes > mostBytes && frames.length > head)) {
        dropOldest()
      }
    },
    after(id) {
      if (id < lost || id > last) return undefined
      return frames
        .slice(head)
        .flatMap((frame) => (frame !== undefined && frame.id > id ? [frame] : []))
    },
  }
}
