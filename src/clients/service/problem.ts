/** What went wrong with a call to the service, in words that say what to do. */
import { recordOf, textOf } from '#model/read-json.ts'
import { codes, Problem, type Code } from '#model/problem.ts'
import type { ServiceAddress } from './client.ts'

/** The service explains itself in problem+json; a proxy in front of it may answer anything. */
export function refusalOf(status: number, text: string, address: ServiceAddress): Problem {
  const said = recordOf(parsed(text))
  const code = textOf(said['code'])
  if (status === 401) return unauthorized(address, textOf(said['detail']))
  if (!isCode(code)) {
    return new Problem({
      type: 'runtime',
      code: 'api_error',
      message: `${address.url} answered with status ${status}, and not as a Tend service does`,
      suggestion: 'check the address (--server, TEND_SERVER)',
    })
  }
  const suggestion = textOf(said['suggestion'])
  const at = recordOf(said['at'])
  const { line, column } = at
  const file = textOf(at['file'])
  return new Problem({
    type: codes[code].exit === 2 ? 'configuration' : 'runtime',
    code,
    message: textOf(said['detail']),
    ...(suggestion === '' ? {} : { suggestion }),
    ...(file === '' ? {} : { at: { file, line: Number(line), column: Number(column) } }),
  })
}

export function unreachable(url: string, code: string, cause: unknown): Problem {
  const why = reasons[code] ?? (cause instanceof Error ? cause.message : code)
  return new Problem({
    type: 'runtime',
    code: 'unreachable',
    message: `the service at ${url} can't be reached: ${why}`,
    suggestion: 'see that it runs (tend serve), or name another one (--server, TEND_SERVER)',
    recoverable: true,
    cause,
  })
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'it hung up',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'its name could not be looked up',
  ETIMEDOUT: 'nobody answers',
  EHOSTUNREACH: 'there is no way to that host',
}

function unauthorized({ tokenFrom, url }: ServiceAddress, detail: string): Problem {
  return new Problem({
    type: 'runtime',
    code: 'unauthorized',
    message:
      tokenFrom === undefined
        ? `the service at ${url} asks for a token`
        : `the service at ${url} does not take the token from ${tokenFrom}${detail === '' ? '' : `: ${detail}`}`,
    suggestion:
      'put one into TEND_TOKEN, or its file into TEND_TOKEN_FILE; `tend token create` makes one where the service runs',
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // a proxy in between may answer in its own words
    return undefined
  }
}

function isCode(text: string): text is Code {
  return Object.hasOwn(codes, text)
}
