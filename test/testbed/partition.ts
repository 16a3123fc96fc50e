/** The line between one replica and the database: open, silent in both directions, or refused. */
import { connect, createServer, type Socket } from 'node:net'

/** `silent`: what is sent is lost and nobody is told, as behind a switch that is off. `refused`: lines are cut, new ones too. */
export type LineState = 'open' | 'silent' | 'refused'

export type Line = {
  readonly port: number
  set(state: LineState): void
  stop(): Promise<void>
}

/** `host`: where it is reached. */
export async function startLine(target: number, host = '127.0.0.1'): Promise<Line> {
  let state: LineState = 'open'
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    if (state === 'refused') return void near.resetAndDestroy()
    const far = connect(target, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => one.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.on('data', (part) => {
        // what was lost is not sent later: such a line is of no use any more
        if (state === 'open') other.write(part)
        else one.pause()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const address = server.address()
  const cut = (): void => sockets.forEach((socket) => socket.resetAndDestroy())
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    set(next) {
      const before = state
      state = next
      if (next === 'refused' || (next === 'open' && before === 'silent')) cut()
    },
    async stop() {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
