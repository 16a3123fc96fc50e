/** A service in memory behind the real HTTP server, for the tests of the API. */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { memoryAudit, memoryNotes } from '#store/memory.ts'
import { memoryTimeline } from '#store/timeline.ts'
import type { AuditLog } from '#model/audit.ts'
import type { Clock } from '#model/clock.ts'
import type { HookDeclared } from '#model/declaration.ts'
import type { LoginDeclared } from '#model/login.ts'
import { serveHttp, type Served, type Serving } from '#server/serve.ts'
import { fakeClock } from '../fake/clock.ts'
import { fakeService, type FakeService } from '../fake/service.ts'

/** What requests of the tests carry, unless the world has tokens of its own. */
export const worldToken = 'w'.repeat(40)
const authorization = `Bearer ${worldToken}`

export type World = {
  readonly service: FakeService
  readonly served: Served
  readonly log: string[]
  readonly audit: AuditLog
  readonly ask: (method: string, path: string, asked?: Asking) => Promise<Answered>
}

export type Asking = {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

/** Whatever an answer holds; a wrong guess fails the test that makes it. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Loose = any

export type Answered = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly json: Loose
}

type Wishes = Partial<Serving> & {
  readonly names?: readonly string[]
  readonly service?: FakeService
  readonly hooks?: readonly HookDeclared[]
  readonly host?: string
  readonly isOpen?: boolean
  readonly login?: () => LoginDeclared
  readonly hosts?: readonly string[]
  readonly secrets?: Readonly<Record<string, string>>
}

export async function startWorld(wishes: Wishes = {}): Promise<World> {
  const service = wishes.service ?? fakeService(wishes.names ?? ['web', 'db'])
  const log: string[] = []
  const audit = wishes.audit ?? memoryAudit()
  const clock: Clock = wishes.clock ?? fakeClock()
  const hasOwnTokens = 'notes' in wishes || 'fileToken' in wishes
  const { hooks = [], host = '127.0.0.1', isOpen = false, secrets = {} } = wishes
  const served = await serveHttp({
    service,
    notes: memoryNotes(),
    audit,
    timeline: memoryTimeline(),
    declarations: () => ({
      listen: { host, port: 0, isOpen, hosts: wishes.hosts ?? [] },
      hooks,
      projectName: 'Test',
      isOrigin: false,
      discoveries: [],
      ...(wishes.login === undefined ? {} : { login: wishes.login() }),
    }),
    async readSecret(from) {
      return secrets[Object.values(from).join('')] ?? ''
    },
    clock,
    log: (level, message, fields) => log.push(JSON.stringify({ level, message, ...fields })),
    ...(hasOwnTokens ? {} : { fileToken: worldToken }),
    ...wishes,
  })
  return {
    service,
    served,
    log,
    audit,
    ask(method, path, asked = {}) {
      const headers = hasOwnTokens ? asked.headers : { authorization, ...asked.headers }
      return ask(served.address.port, method, path, { ...asked, headers: headers ?? {} })
    },
  }
}

/** Paths go out as they are written: no client tidies them up first. */
export async function ask(
  port: number,
  method: string,
  path: string,
  { headers = {}, body }: Asking = {},
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      { host: '127.0.0.1', port, method, path, headers, agent: false },
      (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('error', reject)
        answer.on('end', () => {
          const text = Buffer.concat(parts).toString('utf8')
          const type = answer.headers['content-type'] ?? ''
          const isJson = /^application\/(problem\+)?json\b(?!-)/.test(type) && text !== ''
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            text,
            json: isJson ? JSON.parse(text) : undefined,
          })
        })
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

export type Told = { readonly id: string; readonly event: string; readonly data: Loose }

export type Listening = {
  readonly told: Told[]
  readonly comments: string[]
  readonly headers: IncomingHttpHeaders
  /** Resolves when this many events, or what is asked for, came. */
  until(isEnough: (told: readonly Told[]) => boolean): Promise<readonly Told[]>
  readonly ended: Promise<void>
  end(): void
}

export async function listen(
  port: number,
  path: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Listening> {
  const headers = { authorization, ...more }
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: '127.0.0.1', port, path, headers, agent: false }, (answer) => {
      const told: Told[] = []
      const comments: string[] = []
      const waiting = new Set<() => void>()
      let rest = ''
      answer.setEncoding('utf8')
      answer.on('data', (text: string) => {
        const blocks = (rest + text).split('\n\n')
        rest = blocks.pop() ?? ''
        for (const block of blocks) take(block, told, comments)
        for (const look of waiting) look()
      })
      const ended = new Promise<void>((done) => answer.on('close', done))
      answer.on('error', () => undefined)
      resolve({
        told,
        comments,
        headers: answer.headers,
        ended,
        until: (isEnough) =>
          new Promise((done, fail) => {
            const look = () => {
              if (!isEnough(told)) return
              waiting.delete(look)
              done(told)
            }
            waiting.add(look)
            void ended.then(() => fail(new Error('the stream ended before')))
            look()
          }),
        end: () => sent.destroy(),
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}

function take(block: string, told: Told[], comments: string[]): void {
  const fields: Record<string, string> = {}
  for (const line of block.split('\n')) {
    const mark = line.indexOf(':')
    fields[line.slice(0, mark)] = line.slice(mark + 1).trim()
  }
  if (fields['data'] === undefined) comments.push(block)
  else {
    const { id = '', event = '', data } = fields
    told.push({ id, event, data: JSON.parse(data) })
  }
}
