/** What an engine says when something goes wrong, as problems: by status and by its text, for Docker and Podman share few statuses. */
import { CommandError } from '#clients/command/command-error.ts'
import { lostCommand, saidIn, type SshAdvice } from '#clients/containers/problem.ts'
import { ConnectionError } from '#clients/http/connection.ts'
import { Problem, type Code } from '#model/problem.ts'
import { readings, suggestions } from './readings.ts'

/** `doing` begins the sentence: "could not create container web". */
export function refusal(doing: string, status: number, body: string): Problem {
  const { cause, message } = saidIn(body)
  const text = message === '' ? `status ${status}` : message
  const found = readings.find((reading) => reading.pattern.test(`${cause}\n${text}`))
  const words = found?.words?.(text)
  const code = found?.code ?? byStatus[status] ?? 'api_error'
  return new Problem({
    type: 'runtime',
    code,
    message: `${doing}: ${words ?? text}`,
    suggestion: found?.suggestion ?? suggestions[code],
    recoverable: found?.recoverable ?? (status === 502 || status === 503 || status === 429),
    cause: words === undefined ? cause || undefined : text,
  })
}

const byStatus: Readonly<Record<number, Code>> = {
  404: 'not_found',
  409: 'conflict',
  429: 'unreachable',
}

/** The connection failed before an answer was whole: whether the call got through is not known. What is no failure of the connection stays what it is. */
export function broken(doing: string, place: string, error: unknown): unknown {
  if (!(error instanceof ConnectionError)) return error
  if (error.cause instanceof CommandError) return lostCommand(doing, place, error.cause, ssh)
  const isSilent = error.code === 'SILENT' || error.code === 'ETIMEDOUT'
  const known = failures.find(({ pattern }) => pattern.test(error.code))
  return new Problem({
    type: 'runtime',
    code: isSilent ? 'timed_out' : 'unreachable',
    message: `${doing}: ${place}: ${plain(error.message)}`,
    suggestion: isSilent ? undefined : (known?.suggestion ?? 'see whether the engine runs there'),
    recoverable: known?.recoverable ?? true,
    cause: error,
  })
}

/** Keeps only the reason out of OpenSSL's line. What Node says of sockets is for programmers. */
function plain(message: string): string {
  if (/^connect ENOENT\b/.test(message)) return 'no engine is there: this socket does not exist'
  if (/^connect ECONNREFUSED\b/.test(message)) return 'no engine is there: nobody listens'
  if (/^connect (EACCES|EPERM)\b/.test(message)) return 'this user may not use the socket'
  return /SSL routines:[^:]*:([^:]+):/.exec(message)?.[1] ?? message
}

type Failure = {
  readonly pattern: RegExp
  readonly recoverable: boolean
  readonly suggestion: string
}

const failures: readonly Failure[] = [
  {
    pattern: /^(EACCES|EPERM)$/,
    recoverable: false,
    suggestion:
      'join the group that owns the socket: sudo usermod -aG docker $USER, then log in again',
  },
  {
    pattern: /^(ENOENT|ECONNREFUSED)$/,
    recoverable: true,
    suggestion:
      'start the engine: systemctl start docker (or for Podman: systemctl start podman.socket), or name another one: --target, DOCKER_HOST, or target in tend.yaml',
  },
  {
    pattern: /^ENOTFOUND$/,
    recoverable: false,
    suggestion: 'check the name of the host',
  },
  {
    pattern: /^(EPROTO|ERR_SSL)/,
    recoverable: false,
    suggestion:
      'check that the engine wants TLS on this port and knows your cert.pem; without TLS unset DOCKER_TLS_VERIFY and DOCKER_CERT_PATH',
  },
  {
    pattern: /CERT|SIGNATURE|ALTNAME/,
    recoverable: false,
    suggestion:
      'check that ca.pem in DOCKER_CERT_PATH signed the engine’s certificate, and that it names this host',
  },
]

const ssh: SshAdvice = { install: 'the docker command', command: 'docker version' }
