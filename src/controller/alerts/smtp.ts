/** Hands a mail to a server: SMTP with TLS from the start or by STARTTLS, AUTH PLAIN or LOGIN. */
import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { Problem } from '#model/problem.ts'
import { problem, refused } from './deliver.ts'
import type { Mail } from './mail-text.ts'
import { replies, type Replies, type Reply } from './smtp-replies.ts'
import { defined } from '#model/defined.ts'

type MailServer = {
  readonly host: string
  readonly port: number
  /** TLS from the first byte. */
  readonly isTls: boolean
  readonly login: { readonly user: string; readonly password: string } | undefined
  /** Trusted beside the system's authorities, PEM. */
  readonly ca?: string
}

const patience = 30_000

/** `smtps://host[:465]`, `smtp://host[:587]`. */
export function mailServerOf(address: string): Omit<MailServer, 'login'> {
  const url = URL.parse(address)
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '') {
    throw refused(
      'its address is none',
      'write smtps://mail.example.org or smtp://mail.example.org:587',
    )
  }
  const isTls = url.protocol === 'smtps:'
  const port = url.port === '' ? (isTls ? 465 : 587) : Number(url.port)
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port, isTls }
}

export async function sendMail(server: MailServer, mail: Mail, signal: AbortSignal): Promise<void> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(patience)])
  const talk = new Talk(server, open(server))
  const stop = () => talk.end(new Error('aborted'))
  limit.addEventListener('abort', stop, { once: true })
  try {
    await dialogue(talk, server, mail)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof Problem) throw error
    throw problem(
      limit.aborted
        ? 'the mail server does not answer'
        : `the mail server can't be reached (${codeOf(error)})`,
      true,
    )
  } finally {
    limit.removeEventListener('abort', stop)
    talk.end()
  }
}

function open({ host, port, isTls, ca }: MailServer): Socket {
  if (!isTls) return connectPlain({ host, port })
  return connectTls({
    host,
    port,
    servername: isAddress(host) ? '' : host,
    ...(ca === undefined ? {} : { ca }),
  })
}

async function dialogue(talk: Talk, server: MailServer, mail: Mail): Promise<void> {
  await talk.expect('greeting', 220)
  let offers = await talk.hello()
  if (!server.isTls && offers.includes('STARTTLS')) {
    await talk.ask('STARTTLS', 220)
    await talk.secure()
    offers = await talk.hello()
  } else if (!server.isTls && server.login !== undefined && !isLoopback(server.host)) {
    throw refused(
      'the mail server offers no STARTTLS, and a password is not sent in clear',
      'use smtps://',
    )
  }
  if (server.login !== undefined) await logIn(talk, offers, server.login)
  await talk.ask(`MAIL FROM:<${mail.from}>`, 250)
  for (const to of mail.to) await talk.ask(`RCPT TO:<${to}>`, 250, 251)
  await talk.ask('DATA', 354)
  await talk.ask(`${mail.text.replaceAll(/^\./gm, '..')}\r\n.`, 250, undefined, 'the mail')
  // the mail is accepted already
  await talk.ask('QUIT', 221).catch(() => undefined)
}

async function logIn(
  talk: Talk,
  offers: readonly string[],
  { user, password }: { readonly user: string; readonly password: string },
): Promise<void> {
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const ways = offers.find((line) => line.startsWith('AUTH '))?.split(' ') ?? []
  if (ways.includes('PLAIN')) {
    await talk.ask(`AUTH PLAIN ${base64(`\0${user}\0${password}`)}`, 235, undefined, 'the login')
  } else if (ways.includes('LOGIN')) {
    await talk.ask('AUTH LOGIN', 334)
    await talk.ask(base64(user), 334, undefined, 'the login')
    await talk.ask(base64(password), 235, undefined, 'the login')
  } else
    throw refused(
      'the mail server knows neither AUTH PLAIN nor LOGIN',
      'take user away if none is needed',
    )
}

/** What was sent is never part of a problem, nor what was answered: servers repeat what they got. */
class Talk {
  readonly #server: MailServer
  #socket: Socket
  #replies: Replies

  constructor(server: MailServer, socket: Socket) {
    this.#server = server
    this.#socket = socket
    this.#replies = replies(socket)
  }

  async expect(what: string, ...codes: readonly (number | undefined)[]): Promise<Reply> {
    const reply = await this.#replies.next()
    if (codes.includes(reply.code)) return reply
    const message = `the mail server answered ${reply.code} to ${what}`
    if (reply.code >= 400 && reply.code < 500) throw problem(message, true)
    throw refused(message, 'check from, to, user and secret')
  }

  async ask(
    line: string,
    code: number,
    other?: number,
    what = defined(line.split(/[ :]/)[0]),
  ): Promise<Reply> {
    this.#socket.write(`${line}\r\n`)
    return this.expect(what, code, other)
  }

  async hello(): Promise<readonly string[]> {
    const reply = await this.ask('EHLO [127.0.0.1]', 250)
    return reply.lines.slice(1).map((line) => line.toUpperCase())
  }

  /** What came in clear before TLS began is nobody's word. */
  async secure(): Promise<void> {
    if (!this.#replies.isEmpty())
      throw refused('the mail server said more than it may before TLS', 'use smtps://')
    this.#replies.stop()
    const { host, ca } = this.#server
    const servername = isAddress(host) ? '' : host
    const secured: TLSSocket = connectTls({
      socket: this.#socket,
      host,
      servername,
      ...(ca === undefined ? {} : { ca }),
    })
    this.#socket = secured
    this.#replies = replies(secured)
    await Promise.race([
      new Promise<void>((resolve) => secured.once('secureConnect', resolve)),
      this.#replies.broken,
    ])
  }

  end(reason?: Error): void {
    this.#socket.destroy(reason)
  }
}

function isAddress(host: string): boolean {
  return /^[\d.]+$|:/.test(host)
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'broken off'
}
