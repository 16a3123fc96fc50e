/** A proxy that opens lines for whoever asks with CONNECT and knows the password. */
import { createServer, type Socket } from 'node:net'
import { connect, type AddressInfo } from 'node:net'

export type ConnectProxy = {
  readonly url: string
  /** Where lines were opened to. */
  readonly asked: string[]
  stop(): void
}

export async function startConnectProxy(): Promise<ConnectProxy> {
  const asked: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    sockets.add(near)
    near.on('error', () => near.destroy())
    near.once('data', (part) => {
      const text = part.toString('latin1')
      const [, host = '', port = ''] = /^CONNECT (.+):(\d+) HTTP/.exec(text) ?? []
      if (!text.includes(Buffer.from('me:pa:ss').toString('base64'))) {
        return void near.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
      }
      asked.push(`${host}:${port}`)
      const far = connect(Number(port), host, () => {
        near.write('HTTP/1.1 200 Connection established\r\n\r\n')
        near.pipe(far).pipe(near)
      })
      far.on('error', () => near.destroy())
      near.on('close', () => far.destroy())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo
  return {
    url: `http://me:pa%3Ass@127.0.0.1:${port}`,
    asked,
    stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
