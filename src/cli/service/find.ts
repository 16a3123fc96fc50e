/** Which service the verbs talk to, and with which token. */
import { readFileSync } from 'node:fs'
import { isThisMachine } from '#clients/service/service-address.ts'
import { serviceAt, type ServiceAddress, type ServiceClient } from '#clients/service/client.ts'
import { Problem } from '#model/problem.ts'
import type { Flags } from '../arguments/invocation.ts'
import type { Session } from '../session.ts'
import { localToken, readNote, tokenFile } from './note.ts'

/** Undefined: none was named, and none runs here. */
export function findService(flags: Flags, session: Session): ServiceAddress | undefined {
  const { environment, home } = session
  const named = flags.service.server ?? given(environment['TEND_SERVER'])
  const note = readNote(home)
  const url = named ?? note?.url
  if (url === undefined) return undefined
  const isOwn = url === note?.url || (note !== undefined && isSamePort(url, note.url))
  return { url: url.includes('://') ? url : `http://${url}`, ...tokenFor(session, isOwn) }
}

/** Connects to the service for as long as the work lasts. */
export async function withService<Result>(
  address: ServiceAddress,
  work: (service: ServiceClient) => Promise<Result>,
): Promise<Result> {
  const service = serviceAt(address)
  try {
    return await work(service)
  } finally {
    service.close()
  }
}

export function noService(doing: string): Problem {
  return new Problem({
    type: 'configuration',
    code: 'not_found',
    message: `no service runs here that could ${doing}`,
    suggestion: 'start one with tend serve, or name one with --server or TEND_SERVER',
  })
}

function tokenFor(
  { environment, home }: Session,
  isOwn: boolean,
): Pick<ServiceAddress, 'token' | 'tokenFrom'> {
  const text = given(environment['TEND_TOKEN'])
  if (text !== undefined) return { token: text, tokenFrom: 'TEND_TOKEN' }
  const file = given(environment['TEND_TOKEN_FILE'])
  if (file !== undefined) return { token: tokenIn(file), tokenFrom: file }
  const own = isOwn ? localToken(home) : undefined
  return { token: own, tokenFrom: own === undefined ? undefined : tokenFile(home) }
}

function tokenIn(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    throw new Problem({
      type: 'configuration',
      code: 'usage',
      message: `the token in ${file} (TEND_TOKEN_FILE) can't be read`,
      suggestion: 'check the path, its owner and its mode',
      cause,
    })
  }
}

function isSamePort(url: string, own: string): boolean {
  return isThisMachine(url) && isThisMachine(own) && portOf(url) === portOf(own)
}

function portOf(url: string): string {
  return URL.parse(url.includes('://') ? url : `http://${url}`)?.port ?? ''
}

function given(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text.trim()
}
