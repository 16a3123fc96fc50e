/** Portainer's API, as far as environments of clusters need it. */
import { connect, ConnectionError, type Connection } from '#clients/http/connection.ts'
import { numberOf, recordOf, recordsOf, textOf } from '#model/read-json.ts'
import { isList, type Json, type JsonRecord } from '#model/json.ts'
import { Problem } from '#model/problem.ts'

type PortainerAccess =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'password'; readonly user: string; readonly password: string }

export type PortainerPlace = {
  readonly url: URL
  readonly access: PortainerAccess
  /** PEM; undefined: the system's authorities. */
  readonly ca: string | undefined
}

export type Endpoint = {
  readonly id: number
  readonly name: string
  /** The address that the agent calls. It is read from the key, because Portainer itself keeps only its host. */
  readonly url: string
  readonly group: number
  readonly tags: readonly number[]
  /** The key that the agent calls with. */
  readonly edgeKey: string
  /** The id that the agent must have. Empty: whoever calls first is believed. */
  readonly edgeId: string
  /** When its agent called last, in seconds; 0: never. */
  readonly lastCheckIn: number
  /** Whether the agent called lately. */
  readonly isAlive: boolean
}

/** The fields of an environment that are set when it is made or changed. */
type EndpointWish = Pick<Endpoint, 'name' | 'url' | 'group' | 'tags'>

export type Portainer = {
  endpoints(signal: AbortSignal): Promise<readonly Endpoint[]>
  tags(signal: AbortSignal): Promise<ReadonlyMap<string, number>>
  addTag(name: string, signal: AbortSignal): Promise<number>
  /** A tag that is gone already is no problem. */
  removeTag(id: number, signal: AbortSignal): Promise<void>
  /** Adds an edge environment. */
  addEndpoint(endpoint: EndpointWish, signal: AbortSignal): Promise<Endpoint>
  changeEndpoint(id: number, change: Omit<EndpointWish, 'url'>, signal: AbortSignal): Promise<void>
  /** An environment that is gone already is no problem. */
  removeEndpoint(id: number, signal: AbortSignal): Promise<void>
  close(): void
}

type Sent = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: string
  readonly type?: string
  readonly fine?: readonly number[]
}

const silence = 20_000
const form = 'application/x-www-form-urlencoded'

/** A token is asked for once: whoever asks too often is banned for an hour. */
export function portainerAt(place: PortainerPlace): Portainer {
  const { url, access } = place
  const isTls = url.protocol === 'https:'
  const tls = { isVerified: true, ...(place.ca === undefined ? {} : { ca: place.ca }) }
  const port = Number(url.port === '' ? (isTls ? 443 : 80) : url.port)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const connection = connect({ host, port, ...(isTls ? { tls } : {}) }, 4)
  const base = url.pathname.replace(/\/+$/, '')
  let token: Promise<string> | undefined

  async function headers(signal: AbortSignal): Promise<Record<string, string>> {
    if (access.kind === 'key') return { 'X-API-Key': access.key }
    token ??= logIn(signal)
    try {
      return { Authorization: `Bearer ${await token}` }
    } catch (error) {
      token = undefined
      throw error
    }
  }
  async function logIn(signal: AbortSignal): Promise<string> {
    if (access.kind !== 'password') return ''
    const body = JSON.stringify({ Username: access.user, Password: access.password })
    const call = { method: 'POST', path: '/api/auth', body, type: 'application/json' } as const
    return textOf(recordOf(await exchange(connection, url, base, call, {}, signal))['jwt'])
  }
  async function ask(sent: Sent, signal: AbortSignal): Promise<Json> {
    return exchange(connection, url, base, sent, await headers(signal), signal)
  }
  function json(body: JsonRecord): Pick<Sent, 'body' | 'type'> {
    return { body: JSON.stringify(body), type: 'application/json' }
  }
  return {
    async endpoints(signal) {
      const path = '/api/endpoints?excludeSnapshots=true'
      const list = await ask({ method: 'GET', path }, signal)
      return listed(list, 'endpoints').map(endpointOf)
    },
    async tags(signal) {
      const list = listed(await ask({ method: 'GET', path: '/api/tags' }, signal), 'tags')
      return new Map(list.map((tag) => [textOf(tag['Name']), numberOf(tag['ID'] ?? tag['id'])]))
    },
    async addTag(Name, signal) {
      const made = await ask({ method: 'POST', path: '/api/tags', ...json({ Name }) }, signal)
      return numberOf(recordOf(made)['ID'] ?? recordOf(made)['id'])
    },
    async removeTag(id, signal) {
      await ask({ method: 'DELETE', path: `/api/tags/${id}`, fine: [404] }, signal)
    },
    async addEndpoint({ name, url: edge, group, tags }, signal) {
      const body = new URLSearchParams({
        Name: name,
        EndpointCreationType: '4',
        URL: edge,
        GroupID: String(group),
        TagIds: JSON.stringify(tags),
      }).toString()
      const call = { method: 'POST', path: '/api/endpoints', body, type: form } as const
      return endpointOf(recordOf(await ask(call, signal)))
    },
    async changeEndpoint(id, { name, group, tags }, signal) {
      const body = json({ Name: name, GroupID: group, TagIDs: [...tags] })
      await ask({ method: 'PUT', path: `/api/endpoints/${id}`, ...body }, signal)
    },
    async removeEndpoint(id, signal) {
      await ask({ method: 'DELETE', path: `/api/endpoints/${id}`, fine: [404] }, signal)
    },
    close: () => connection.close(),
  }
}

function endpointOf(record: JsonRecord): Endpoint {
  const tags = isList<Json>(record['TagIds']) ? record['TagIds'] : []
  const edgeKey = textOf(record['EdgeKey'])
  return {
    id: numberOf(record['Id']),
    name: textOf(record['Name']),
    url: homeIn(edgeKey) ?? textOf(record['URL']),
    group: numberOf(record['GroupId']),
    tags: tags.filter((tag) => typeof tag === 'number'),
    edgeKey,
    edgeId: textOf(record['EdgeID']),
    lastCheckIn: numberOf(record['LastCheckInDate']),
    isAlive: record['Heartbeat'] === true,
  }
}

/** Reads the key, which is `url|host:tunnelPort|fingerprint|id` in base64. */
function homeIn(edgeKey: string): string | undefined {
  const parts = Buffer.from(edgeKey, 'base64').toString().split('|')
  return parts.length >= 4 && parts[0] !== '' ? parts[0] : undefined
}

/** An answer that is no list is refused. */
function listed(value: Json, what: string): readonly JsonRecord[] {
  if (isList<Json>(value)) return recordsOf(value)
  throw problem(`Portainer's list of ${what} is no list`, 'api_error', true)
}

async function exchange(
  connection: Connection,
  url: URL,
  base: string,
  sent: Sent,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Json> {
  const { method, path, body, type, fine = [] } = sent
  try {
    const answer = await connection.send({
      method,
      path: `${base}${path}`,
      headers: { ...headers, ...(type === undefined ? {} : { 'Content-Type': type }) },
      ...(body === undefined ? {} : { body }),
      signal,
      silence,
    })
    const parts: Uint8Array[] = []
    for await (const part of answer.body) parts.push(part)
    const text = Buffer.concat(parts).toString()
    if ((answer.status >= 200 && answer.status < 300) || fine.includes(answer.status)) {
      return jsonIn(text)
    }
    throw refusal(answer.status, text, `${method} ${path.split('?')[0]}`)
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error
    const message = `Portainer does not answer at ${url.origin}: ${error.message}`
    throw problem(message, 'unreachable', true, 'see that it runs there')
  }
}

function jsonIn(text: string): Json {
  try {
    const value: Json = JSON.parse(text === '' ? 'null' : text)
    return value
  } catch {
    // the status alone tells what became of it
    return null
  }
}

function refusal(status: number, text: string, doing: string): Problem {
  const body = recordOf(jsonIn(text))
  const said = textOf(body['details']) || textOf(body['message']) || `status ${status}`
  const message = `Portainer refuses ${doing}: ${said.slice(0, 300)} (${status})`
  switch (status) {
    case 401:
    case 422:
      return problem(
        message,
        'unauthorized',
        false,
        'renew the key or the password that fleet.yaml names',
      )
    case 403:
      return problem(
        message,
        'forbidden',
        false,
        'give its key or user the rights of an administrator',
      )
    case 409:
      return problem(
        message,
        'name_taken',
        false,
        'rename or remove the environment of that name in Portainer: only those that carry our tag are changed',
      )
    case 429:
      return problem(message, 'too_many', true, 'it is tried again later')
    default:
      return problem(message, 'api_error', status >= 500)
  }
}

function problem(
  message: string,
  code: Problem['code'],
  recoverable: boolean,
  suggestion?: string,
): Problem {
  return new Problem({ type: 'runtime', code, message, recoverable, suggestion })
}
