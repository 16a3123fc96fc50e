/** `git http-backend` behind a web server on loopback, with the password that it asks for. */
import { spawn } from 'node:child_process'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

export type GitHttp = {
  readonly origin: string
  /** What was asked, as `METHOD path`, with the status that was given. */
  readonly asked: readonly string[]
  /** The value of each Authorization header that came. */
  readonly authorizations: readonly string[]
  /** Answers with this status from now on; undefined: as usual. */
  answer(status: number | undefined): void
  stop(): Promise<void>
}

export type GitHttpOptions = {
  readonly folder: string
  readonly password?: { readonly user: string; readonly token: string }
  /** Asked for in place of a password. */
  readonly bearer?: string
  /** Speaks the protocol of old, where only what refs point at can be asked for. */
  readonly isOld?: boolean
  /** Sends everybody to another origin. */
  readonly redirectsTo?: string
}

export async function startGitHttp(options: GitHttpOptions): Promise<GitHttp> {
  const asked: string[] = []
  const authorizations: string[] = []
  let always: number | undefined
  const { password, bearer } = options
  const word = password && basic(password.user, password.token)
  const expected = bearer === undefined ? word : `Bearer ${bearer}`
  const server = createServer((request, response) => {
    const { authorization } = request.headers
    if (authorization !== undefined) authorizations.push(authorization)
    response.on('finish', () => {
      asked.push(`${request.method} ${request.url} ${response.statusCode}`)
    })
    if (always !== undefined) response.writeHead(always).end()
    else if (options.redirectsTo !== undefined) {
      response.writeHead(302, { location: `${options.redirectsTo}${request.url}` }).end()
    } else if (expected !== undefined && authorization !== expected) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
    } else serve(options, request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    origin: `http://127.0.0.1:${port}`,
    asked,
    authorizations,
    answer: (status) => void (always = status),
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

function basic(user: string, token: string): string {
  return `Basic ${Buffer.from(`${user}:${token}`).toString('base64')}`
}

function serve(options: GitHttpOptions, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'],
      GIT_PROJECT_ROOT: options.folder,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_NOSYSTEM: '1',
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'],
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
      REMOTE_ADDR: '127.0.0.1',
      ...(options.isOld ? {} : { GIT_PROTOCOL: String(request.headers['git-protocol'] ?? '') }),
    },
  })
  request.pipe(child.stdin).on('error', () => {})
  let head: Buffer | undefined = Buffer.alloc(0)
  child.stdout.on('data', (part: Buffer) => {
    if (head === undefined) return void response.write(part)
    head = Buffer.concat([head, part])
    const end = head.indexOf('\r\n\r\n')
    if (end === -1) return
    const fields = head.toString('latin1', 0, end).split('\r\n')
    const pairs = fields.map((field) => field.split(/: (.*)/s) as [string, string])
    const status = pairs.find(([name]) => name === 'Status')?.[1]
    for (const [name, value] of pairs) if (name !== 'Status') response.setHeader(name, value)
    response.writeHead(status === undefined ? 200 : Number.parseInt(status, 10))
    response.write(head.subarray(end + 4))
    head = undefined
  })
  child.stdout.on('end', () => response.end())
}
