/** Stands in for Portainer where it can't be had: strict about fields, ways to log in, rates and status codes. */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

export type StandInEndpoint = {
  readonly Id: number
  Name: string
  Type: number
  EdgeID?: string
  LastCheckInDate?: number
  Heartbeat?: boolean
  readonly URL: string
  GroupId: number
  TagIds: number[]
  readonly EdgeKey: string
}

export type PortainerStandIn = {
  readonly url: string
  readonly key: string
  readonly endpoints: StandInEndpoint[]
  readonly asked: string[]
  readonly tags: { readonly ID: number; readonly Name: string }[]
  /** From now on environments are made with an id that their agent must say (EnforceEdgeID). */
  enforce(): void
  /** Connections that are open. */
  connections(): Promise<number>
  /** Answers everything below this path with this status from now on; undefined: as usual. */
  answer(path: string, status: number | undefined): void
  close(): Promise<void>
}

const created = new Set([
  'Name',
  'EndpointCreationType',
  'URL',
  'PublicURL',
  'GroupID',
  'TagIds',
  'TLS',
  'TLSSkipVerify',
  'TLSSkipClientVerify',
  'EdgeCheckinInterval',
  'ContainerEngine',
  'Gpus',
])
const changed = new Set(['Name', 'URL', 'PublicURL', 'GroupID', 'TagIDs', 'TLS', 'Status'])
const queries = new Set(['excludeSnapshots', 'name', 'search', 'types', 'tagIds', 'start', 'limit'])

export async function portainerStandIn(password = 'a-long-password'): Promise<PortainerStandIn> {
  const key = 'ptr_stand-in'
  const endpoints: StandInEndpoint[] = []
  const tags: { readonly ID: number; readonly Name: string }[] = []
  const asked: string[] = []
  const always = new Map<string, number>()
  const logins: number[] = []
  let lastId = 0
  let lastTag = 0
  let isEnforced = false

  function logIn(body: string): [number, unknown] {
    const now = Date.now()
    logins.push(now)
    if (logins.filter((at) => now - at < 1000).length > 10) return [429, { message: 'banned' }]
    const { Username, Password, ...more } = JSON.parse(body)
    if (Object.keys(more).length > 0) return [400, { message: 'unknown field' }]
    if (Username !== 'admin' || Password !== password) {
      return [422, { message: 'Invalid credentials', details: 'Unauthorized' }]
    }
    return [200, { jwt: 'a.b.c' }]
  }

  function create(body: string): [number, unknown] {
    const form = new URLSearchParams(body)
    for (const field of form.keys()) {
      if (!created.has(field)) return [400, { message: `unknown field ${field}` }]
    }
    const Name = form.get('Name')
    const type = form.get('EndpointCreationType')
    const URL = form.get('URL')
    if (Name === null || type !== '4' || URL === null) {
      return [400, { message: 'Invalid request payload' }]
    }
    if (endpoints.some((one) => one.Name === Name)) {
      return [409, { message: 'Name is not unique', details: 'Name is not unique' }]
    }
    const host = hostOf(URL)
    if (host === '' || host === 'localhost') return [400, { message: 'Unable to parse host' }]
    lastId += 1
    const made: StandInEndpoint = {
      Id: lastId,
      Name,
      Type: 4,
      EdgeID: isEnforced ? randomUUID() : '',
      LastCheckInDate: 0,
      Heartbeat: false,
      URL: host,
      GroupId: Number(form.get('GroupID') ?? 1),
      TagIds: JSON.parse(form.get('TagIds') ?? '[]'),
      EdgeKey: Buffer.from(`${URL}|${host}:8000|fp|${lastId}`)
        .toString('base64')
        .replace(/=+$/, ''),
    }
    endpoints.push(made)
    return [200, made]
  }

  function change(id: number, body: string): [number, unknown] {
    const found = endpoints.find((one) => one.Id === id)
    if (found === undefined) return [404, { message: 'Unable to find an environment' }]
    const fields: Record<string, unknown> = JSON.parse(body)
    for (const field of Object.keys(fields)) {
      if (!changed.has(field)) return [400, { message: `unknown field ${field}` }]
    }
    if (typeof fields['Name'] === 'string') found.Name = fields['Name']
    if (typeof fields['GroupID'] === 'number') found.GroupId = fields['GroupID']
    if (Array.isArray(fields['TagIDs'])) found.TagIds = fields['TagIDs']
    return [200, found]
  }

  /** An agent's call: without credentials, known by its id alone. */
  function checkIn(id: number, request: IncomingMessage): [number, unknown] {
    const found = endpoints.find((one) => one.Id === id)
    const said = String(request.headers['x-portaineragent-edgeid'] ?? '')
    const denied = 'Permission denied to access environment. The device has not been trusted yet'
    if (found === undefined || said === '') return [403, { message: denied }]
    if ((found.EdgeID ?? '') !== '' && found.EdgeID !== said) {
      return [403, { message: denied, details: 'invalid Edge identifier' }]
    }
    found.EdgeID ||= said
    found.Type = 7
    found.LastCheckInDate = Math.floor(Date.now() / 1000)
    found.Heartbeat = true
    return [200, { status: 'IDLE', port: 0, checkin: 5 }]
  }

  function route(request: IncomingMessage, body: string): [number, unknown] {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const { method } = request
    const path = url.pathname
    for (const [below, status] of always) {
      if (path.startsWith(below)) return [status, { message: 'as told' }]
    }
    const calling = Number(/^\/api\/endpoints\/(\d+)\/edge\/status$/.exec(path)?.[1])
    if (method === 'GET' && calling > 0) return checkIn(calling, request)
    if (path === '/api/system/status') return [200, { Version: '2.33.2' }]
    if (path === '/api/auth' && method === 'POST') return logIn(body)
    const { authorization } = request.headers
    const given = request.headers['x-api-key']
    if (given !== undefined && authorization !== undefined) return [403, { message: 'two ways' }]
    if (given !== key && authorization !== 'Bearer a.b.c') {
      return [401, { message: 'A valid authorization token is missing', details: 'Unauthorized' }]
    }
    for (const name of url.searchParams.keys()) {
      if (!queries.has(name)) return [400, { message: `unknown query ${name}` }]
    }
    if (path === '/api/tags' && method === 'GET') return [200, tags]
    if (path === '/api/tags' && method === 'POST') {
      const { Name } = JSON.parse(body)
      if (tags.some((tag) => tag.Name === Name)) return [409, { message: 'tag exists' }]
      lastTag += 1
      const tag = { ID: lastTag, Name }
      tags.push(tag)
      return [200, tag]
    }
    const tagId = Number(/^\/api\/tags\/(\d+)$/.exec(path)?.[1])
    if (method === 'DELETE' && tagId > 0) {
      const at = tags.findIndex(({ ID }) => ID === tagId)
      if (at < 0) return [404, { message: 'Unable to find a tag' }]
      tags.splice(at, 1)
      return [204, undefined]
    }
    if (path === '/api/endpoints' && method === 'GET') return [200, endpoints]
    if (path === '/api/endpoints' && method === 'POST') return create(body)
    const id = Number(/^\/api\/endpoints\/(\d+)$/.exec(path)?.[1])
    if (method === 'PUT' && id > 0) return change(id, body)
    if (method === 'DELETE' && id > 0) {
      const at = endpoints.findIndex((one) => one.Id === id)
      if (at < 0) return [404, { message: 'Unable to find an environment' }]
      endpoints.splice(at, 1)
      return [204, undefined]
    }
    return [405, { message: 'not allowed' }]
  }

  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => (body += part))
    request.on('end', () => {
      const [status, answer] = route(request, body)
      asked.push(`${request.method} ${request.url?.split('?')[0]} ${status}`)
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(answer === undefined ? undefined : JSON.stringify(answer))
    })
  })
  // who opens a connection is who closes it
  server.keepAliveTimeout = 0
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    key,
    endpoints,
    asked,
    tags,
    enforce: () => void (isEnforced = true),
    connections: () =>
      new Promise((done, fail) =>
        server.getConnections((error, count) => (error === null ? done(count) : fail(error))),
      ),
    answer(path, status) {
      if (status === undefined) always.delete(path)
      else always.set(path, status)
    },
    close: () =>
      new Promise((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
}

/** Of an edge environment Portainer keeps the host alone; where the agent calls home is in its key. */
function hostOf(text: string): string {
  return URL.parse(text)?.hostname ?? ''
}
