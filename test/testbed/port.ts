/** Free ports of this machine, below the range that the system hands out by itself. */
import { createServer } from 'node:net'

const first = 20_000
const last = 32_000
let next = first + (process.pid % 400) * 30

/** Bound once to see that it is free; a later call gives another one. */
export async function freePort(): Promise<number> {
  for (let tried = first; tried < last; tried += 1) {
    next = next + 1 < last ? next + 1 : first
    if (await isFree(next)) return next
  }
  throw new Error('no free port')
}

export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '0.0.0.0', () => server.close(() => resolve(true)))
  })
}
