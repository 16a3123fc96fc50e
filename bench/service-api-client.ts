/** Asks as fast as it can over a few connections, and only counts the bytes that come: it must not be the slow one. */
import { connect } from 'node:net'
import { once } from 'node:events'
import { parentPort } from 'node:worker_threads'

type Load = { readonly port: number; readonly requests: number; readonly token: string }

const connections = 16

parentPort?.on('message', (load: Load) => {
  void run(load).then(() => parentPort?.postMessage('done'))
})

async function run(load: Load): Promise<void> {
  const each = Math.ceil(load.requests / connections)
  await Promise.all(Array.from({ length: connections }, () => ask(load, each)))
}

async function ask({ port, token }: Load, times: number): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  const request = `GET /api/stacks HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`
  await new Promise<void>((resolve, reject) => {
    let left = times
    let missing = 0
    socket.on('data', (part: Buffer) => {
      if (missing === 0) missing = lengthOf(part)
      missing -= part.length
      if (missing > 0) return
      left -= 1
      if (left === 0) resolve()
      else socket.write(request)
    })
    socket.on('error', reject)
    socket.write(request)
  })
  socket.destroy()
}

/** Of a whole answer whose headers all came at once. */
function lengthOf(part: Buffer): number {
  const head = part.indexOf('\r\n\r\n') + 4
  const length = /content-length: (\d+)/i.exec(part.toString('latin1', 0, head))?.[1]
  if (length === undefined || !part.toString('latin1', 0, 15).includes(' 200 ')) {
    throw new TypeError('not the answer that was expected')
  }
  return head + Number(length)
}
