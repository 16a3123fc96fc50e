/** Stands between a client and a server, bytes for bytes, and breaks the line in the ways that networks do. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export type Relay = {
  readonly port: number
  /** Lines that are open now. */
  open(): number
  /** From now on nothing passes on the lines that are open, and nobody is told. */
  freeze(): void
  /** Ends all lines at once, hard. */
  cut(): void
  stop(): void
}

export async function startRelay(targetPort: number): Promise<Relay> {
  const lines = new Set<readonly [Socket, Socket]>()
  const server = createServer((near) => {
    const far = connect(targetPort, '127.0.0.1')
    const line = [near, far] as const
    lines.add(line)
    for (const [one, other] of [line, [far, near] as const]) {
      one.on('error', () => other.destroy())
      one.on('close', () => {
        lines.delete(line)
        other.destroy()
      })
      one.on('data', (part) => other.write(part))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo
  const cut = () => {
    for (const [near, far] of lines) {
      near.resetAndDestroy()
      far.destroy()
    }
  }
  return {
    port,
    open: () => lines.size,
    freeze: () => lines.forEach((line) => line.map((socket) => socket.pause())),
    cut,
    stop() {
      cut()
      server.close()
    },
  }
}
