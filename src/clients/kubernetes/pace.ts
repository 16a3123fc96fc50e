/** How many calls may be under way at once: fewer when the server says that it is too many, more again as it takes them. */

export type Pace = {
  /** Waits until there is room. */
  enter(signal: AbortSignal): Promise<void>
  /** Says what came of the call: whether it was refused because there were too many. */
  leave(wasTooMany: boolean): void
  /** How many calls may be under way now. Tests read it. */
  room(): number
}

const fewest = 1
/** One refusal comes with many: of all within this time, ms, only the first counts. */
const together = 250

export function paceOf(most: number, now: () => number = Date.now): Pace {
  let room = most
  let under = 0
  let narrowedAt = -Infinity
  const waiting: (() => void)[] = []

  function next(): void {
    while (under < Math.floor(room)) {
      const first = waiting.shift()
      if (first === undefined) return
      under += 1
      first()
    }
  }

  return {
    room: () => Math.floor(room),
    async enter(signal) {
      signal.throwIfAborted()
      if (under < Math.floor(room)) {
        under += 1
        return
      }
      await new Promise<void>((resolve, reject) => {
        const take = () => {
          signal.removeEventListener('abort', give)
          resolve()
        }
        const give = () => {
          const place = waiting.indexOf(take)
          if (place >= 0) waiting.splice(place, 1)
          reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'))
        }
        signal.addEventListener('abort', give, { once: true })
        waiting.push(take)
      })
    },
    leave(wasTooMany) {
      under -= 1
      if (!wasTooMany) room = Math.min(most, room + 1 / room)
      else if (now() - narrowedAt > together) {
        room = Math.max(fewest, room / 2)
        narrowedAt = now()
      }
      next()
    },
  }
}
