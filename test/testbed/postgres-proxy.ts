/** Stands before a PostgreSQL: counts what it is asked, and fails the questions that it is told to. */
import { connect, createServer, type Socket } from 'node:net'

/**
 * `refuse`: an error, as from a server that is shut down. `cut-before`: the connection ends before the server hears of it.
 * `cut-after`: the server acts, its answer is lost. `hang`: the server acts, no answer comes. `garbage`: bytes of no protocol, and the end.
 */
export type DatabaseFault = 'pass' | 'refuse' | 'cut-before' | 'cut-after' | 'hang' | 'garbage'

export type DatabaseProxy = {
  readonly port: number
  /** How many questions there were. */
  count(): number
  /** What happens to each question from now on; they are counted from 1. */
  plan(fault: (question: number) => DatabaseFault): void
  stop(): Promise<void>
}

export async function startDatabaseProxy(target: number): Promise<DatabaseProxy> {
  let count = 0
  let fault: (question: number) => DatabaseFault = () => 'pass'
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const onward = connect(target, '127.0.0.1')
    for (const one of [client, onward]) {
      sockets.add(one)
      one.on('error', () => one.destroy())
      one.on('close', () => {
        sockets.delete(one)
        client.destroy()
        onward.destroy()
      })
    }
    /** How the answer to the question that is under way is dealt with. */
    let now: DatabaseFault = 'pass'
    onward.on('data', (bytes) => {
      if (now === 'pass') client.write(bytes)
      else if (now === 'cut-after' && endsAnswer(bytes)) client.destroy()
    })
    const messages = messagesOf((bytes, isQuestion) => {
      if (!isQuestion) return void onward.write(bytes)
      count += 1
      now = fault(count)
      if (now === 'cut-before') return void client.destroy()
      if (now === 'refuse') return void client.end(shutDown)
      if (now === 'garbage') return void client.end(Buffer.alloc(64, 0xfe))
      onward.write(bytes)
    })
    client.on('data', messages)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    count: () => count,
    plan(next) {
      count = 0
      fault = next
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Cuts what a client sends into messages. A question ends with Sync or is a simple Query; the first message has no type. */
function messagesOf(hear: (bytes: Buffer, isQuestion: boolean) => void): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0)
  let isStarted = false
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    for (;;) {
      const head = isStarted ? 1 : 0
      if (rest.length < head + 4) return
      const length = head + rest.readInt32BE(head)
      if (rest.length < length) return
      const message = rest.subarray(0, length)
      rest = rest.subarray(length)
      const type = isStarted ? String.fromCharCode(message[0] ?? 0) : ''
      isStarted = true
      hear(message, type === 'S' || type === 'Q')
    }
  }
}

/** ReadyForQuery is the last message of every answer. */
function endsAnswer(bytes: Buffer): boolean {
  return (
    bytes.length >= 6 &&
    bytes.at(-6) === 'Z'.charCodeAt(0) &&
    bytes.readInt32BE(bytes.length - 5) === 5
  )
}

const fields = [
  'SFATAL',
  'VFATAL',
  'C57P01',
  'Mterminating connection due to administrator command',
]
const text = Buffer.from(`${fields.join('\0')}\0\0`)
const length = Buffer.alloc(4)
length.writeInt32BE(text.length + 4)
const shutDown = Buffer.concat([Buffer.from('E'), length, text])
