/** A stand-in for a mail server that takes exactly what RFC 5321 says, and keeps it. */
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { createServer as createTlsServer, TLSSocket } from 'node:tls'

export type Taken = {
  readonly isTls: boolean
  readonly login: readonly [string, string] | undefined
  readonly from: string
  readonly to: readonly string[]
  readonly text: string
}

export type MailWays = {
  readonly tls?: { readonly key: string; readonly cert: string }
  /** TLS from the start, by STARTTLS, or not at all. */
  readonly security: 'tls' | 'starttls' | 'none'
  readonly auth?: 'PLAIN' | 'LOGIN'
  /** The code of the answer to a command, instead of the usual one; once. */
  readonly says?: Readonly<Record<string, number>>
}

export type MailStandIn = {
  readonly port: number
  readonly taken: readonly Taken[]
  /** Everything that came in clear. */
  clear(): string
  close(): Promise<void>
}

export async function mailStandIn(ways: MailWays): Promise<MailStandIn> {
  const taken: Taken[] = []
  const says = new Map(Object.entries(ways.says ?? {}))
  const sockets = new Set<Socket>()
  let clear = ''

  function serve(first: Socket, isSecure: boolean): void {
    let socket = first
    let isTls = isSecure
    let text = ''
    let mode: 'command' | 'user' | 'password' | 'data' = 'command'
    let user = ''
    let login: readonly [string, string] | undefined
    let from = ''
    let to: string[] = []
    const reply = (line: string) => void socket.write(`${line}\r\n`)
    const plain = (word: string) => Buffer.from(word, 'base64').toString()

    function hello(): void {
      const offers = [
        ...(ways.security === 'starttls' && !isTls ? ['STARTTLS'] : []),
        ...(ways.auth === undefined ? [] : [`AUTH ${ways.auth}`]),
        '8BITMIME',
      ]
      reply('250-stand-in greets you')
      for (const [index, offer] of offers.entries()) {
        reply(`250${index === offers.length - 1 ? ' ' : '-'}${offer}`)
      }
    }

    function upgrade(): void {
      reply('220 go ahead')
      socket.off('data', take)
      const secured = new TLSSocket(socket, { isServer: true, ...ways.tls })
      secured.on('error', () => secured.destroy())
      socket = secured
      isTls = true
      secured.on('data', take)
    }

    function command(line: string): void {
      const [verb = ''] = line.toUpperCase().split(/[ :]/)
      const said = says.get(verb)
      if (said !== undefined) {
        says.delete(verb)
        return reply(`${said} as told`)
      }
      if (/^EHLO \S+$/.test(line)) return hello()
      if (line === 'STARTTLS' && ways.security === 'starttls' && !isTls) return upgrade()
      const [, given] = /^AUTH PLAIN (\S+)$/.exec(line) ?? []
      if (given !== undefined && ways.auth === 'PLAIN') {
        const [, name = '', password = ''] = plain(given).split('\0')
        login = [name, password]
        return reply('235 welcome')
      }
      if (line === 'AUTH LOGIN' && ways.auth === 'LOGIN') {
        mode = 'user'
        return reply('334 VXNlcm5hbWU6')
      }
      const [, sender] = /^MAIL FROM:<([^<>\s]+@[^<>\s]+)>$/.exec(line) ?? []
      if (sender !== undefined) {
        from = sender
        return reply('250 ok')
      }
      const [, recipient] = /^RCPT TO:<([^<>\s]+@[^<>\s]+)>$/.exec(line) ?? []
      if (recipient !== undefined && from !== '') {
        to.push(recipient)
        return reply('250 ok')
      }
      if (line === 'DATA' && to.length > 0) {
        mode = 'data'
        return reply('354 end with a dot')
      }
      if (line === 'QUIT') {
        reply('221 bye')
        return void socket.end()
      }
      reply('500 what?')
    }

    function take(part: Buffer): void {
      if (!isTls) clear += part.toString()
      text += part.toString()
      for (;;) {
        if (mode === 'data') {
          const end = text.indexOf('\r\n.\r\n')
          if (end < 0) return
          taken.push({ isTls, login, from, to, text: text.slice(0, end) })
          text = text.slice(end + 5)
          mode = 'command'
          to = []
          reply('250 taken')
          continue
        }
        const end = text.indexOf('\r\n')
        if (end < 0) return
        const line = text.slice(0, end)
        text = text.slice(end + 2)
        if (mode === 'user') {
          user = plain(line)
          mode = 'password'
          reply('334 UGFzc3dvcmQ6')
        } else if (mode === 'password') {
          login = [user, plain(line)]
          mode = 'command'
          reply('235 welcome')
        } else command(line)
      }
    }

    sockets.add(first)
    first.on('error', () => first.destroy())
    first.on('data', take)
    reply('220 stand-in')
  }

  const server =
    ways.security === 'tls'
      ? createTlsServer({ ...ways.tls }, (socket) => serve(socket, true))
      : createServer((socket) => serve(socket, false))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    taken,
    clear: () => clear,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}
