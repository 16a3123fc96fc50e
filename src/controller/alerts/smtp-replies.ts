/** The replies of a mail server, one by one. */
import type { Socket } from 'node:net'
import { defined } from '#model/defined.ts'

export type Reply = { readonly code: number; readonly lines: readonly string[] }

export type Replies = {
  next(): Promise<Reply>
  isEmpty(): boolean
  /** Leaves the socket to somebody else. */
  stop(): void
  /** Rejects when the connection is lost, and never resolves. */
  readonly broken: Promise<never>
}

const most = 64 * 1024

export function replies(socket: Socket): Replies {
  let text = ''
  let lines: string[] = []
  const ready: Reply[] = []
  let wake = () => {}
  let lost: Error | undefined
  let reject: (error: Error) => void = () => {}
  const broken = new Promise<never>((_, no) => (reject = no))
  // whoever waits hears of it; nobody has to
  broken.catch(() => undefined)

  function fail(error: Error): void {
    lost ??= error
    reject(lost)
    wake()
  }
  const failed = (error: Error) => fail(error)
  const ended = () => fail(new Error('the connection was closed'))
  function take(part: Buffer): void {
    text += part.toString('latin1')
    if (text.length > most) return void socket.destroy(new Error('an endless reply'))
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
      const line = text.slice(0, end).replace(/\r$/, '')
      text = text.slice(end + 1)
      lines.push(line.slice(4))
      if (line[3] === '-') continue
      ready.push({ code: Number(line.slice(0, 3)) || 0, lines })
      lines = []
    }
    wake()
  }
  socket.on('data', take)
  socket.on('error', failed)
  socket.on('close', ended)
  return {
    async next() {
      while (ready.length === 0) {
        if (lost !== undefined) throw lost
        await new Promise<void>((resolve) => (wake = resolve))
      }
      return defined(ready.shift())
    },
    isEmpty: () => ready.length === 0 && text === '',
    stop() {
      socket.off('data', take)
      socket.off('close', ended)
    },
    broken,
  }
}
