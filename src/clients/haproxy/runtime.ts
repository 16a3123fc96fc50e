/** HAProxy's runtime socket: one command a connection, answered in text. */
import { createConnection } from 'node:net'
import { Problem } from '#model/problem.ts'

const patience = 5_000

export function ask(socket: string, command: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const connection = createConnection(socket)
    let text = ''
    const abort = (): void => void connection.destroy(new Error('interrupted'))
    signal.addEventListener('abort', abort, { once: true })
    connection.setEncoding('utf8')
    connection.setTimeout(patience, () => connection.destroy(new Error('no answer in 5 s')))
    connection.on('connect', () => connection.end(`${command}\n`))
    connection.on('data', (part: string) => (text += part))
    connection.on('error', (error) => reject(silent(socket, error)))
    connection.on('close', () => {
      signal.removeEventListener('abort', abort)
      resolve(text)
    })
  })
}

/** Whether this was thrown because HAProxy does not run. It reads its files when it is started. */
export function doesNotRun(thrown: unknown): boolean {
  return thrown instanceof Problem && isNobody(thrown.cause)
}

function isNobody(cause: unknown): boolean {
  if (!(cause instanceof Error) || !('code' in cause)) return false
  return cause.code === 'ENOENT' || cause.code === 'ECONNREFUSED'
}

function silent(socket: string, cause: Error): Problem {
  const why = isNobody(cause) ? 'it does not run' : cause.message
  return new Problem({
    type: 'runtime',
    code: 'unreachable',
    message: `HAProxy does not answer at ${socket}: ${why}`,
    suggestion: 'tend fleet bootstrap starts it; what is in its files it reads then',
    recoverable: true,
    cause,
  })
}
