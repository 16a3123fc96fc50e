/** Requests made from the OpenAPI document, right and wrong: no 5xx, no crash, every answer as it is promised. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { misfits, valuesFor, type Schema } from './server-schema.ts'
import { startWorld, type Answered, type Loose } from './server-world.ts'

const secret = 'fuzzed'
const token = 'a-token-that-only-this-test-knows'
const authorization = `Bearer ${token}`
const kinds = ['github', 'gitlab', 'gitea', 'bitbucket', 'generic'] as const
const plenty = { burst: 1e9, perSecond: 1e9 }
const world = await startWorld({
  hooks: kinds.map((kind) => ({ kind, secret: { variable: 'HOOK' }, isOpen: false })),
  secrets: { HOOK: secret },
  fileToken: token,
  limits: { dear: plenty, reads: plenty, failures: plenty },
})
after(() => world.served.close())
const document: Schema = (await world.ask('GET', '/api/openapi.json')).json

type Operation = { readonly method: string; readonly path: string; readonly about: Loose }

const operations: readonly Operation[] = Object.entries<Loose>(document.paths).flatMap(
  ([path, methods]) =>
    Object.entries<Loose>(methods).map(([method, about]) => ({
      method: method.toUpperCase(),
      path,
      about,
    })),
)

function isStream({ about }: Operation): boolean {
  return about.responses[200]?.content?.['text/event-stream'] !== undefined
}

/** A value for a name in the path: often one that there is. */
function named(name: string, schema: Schema): fc.Arbitrary<string> {
  const there: Readonly<Record<string, readonly string[]>> = {
    key: ['stack:web', 'stack:db', 'stack:none'],
    container: ['web', 'other'],
    run: ['1', '2'],
    path: ['deploy/web'],
    kind: kinds,
  }
  const known = fc.constantFrom(...(there[name] ?? ['x']))
  return fc.oneof(known, valuesFor(schema, document).map(shown))
}

function requestsOf({ method, path, about }: Operation) {
  const inPath = about.parameters.filter((one: Loose) => one.in === 'path')
  const inQuery = about.parameters.filter((one: Loose) => one.in === 'query')
  const schema = about.requestBody?.content['application/json'].schema ?? {}
  return fc.record({
    method: fc.constant(method),
    path: fc
      .tuple(...inPath.map((one: Loose) => named(one.name, one.schema)))
      .map((values) =>
        inPath.reduce(
          (whole: string, one: Loose, index: number) =>
            whole.replace(`{${one.name}}`, () => encoded(shown(values[index]))),
          path,
        ),
      ),
    query: fc
      .tuple(...inQuery.map((one: Loose) => fc.option(valuesFor(one.schema, document).map(shown))))
      .map((values) => {
        const pairs = inQuery.flatMap((one: Loose, index: number) =>
          values[index] === null ? [] : [`${one.name}=${encoded(shown(values[index]))}`],
        )
        return pairs.length === 0 ? '' : `?${pairs.join('&')}`
      }),
    body: fc.oneof(
      fc.constant(''),
      valuesFor(schema, document).map((value) => JSON.stringify(value) ?? ''),
      fc.string({ unit: 'binary', maxLength: 60 }),
    ),
  })
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

function checked(operation: Operation, { status, headers, json, text }: Answered): void {
  assert.ok(status < 500, `${status} ${text}`)
  const { responses } = operation.about
  const promised = responses[status] ?? responses.default
  // a name in the path that is empty or odd may mean another path, which has no answers of this kind
  if (responses[status] === undefined && json?.code === 'not_found') return
  const [type] = (headers['content-type'] ?? '').split(';')
  const content = promised.content?.[type ?? '']
  assert.ok(content, `${status} ${type} is not promised`)
  if (json !== undefined) assert.deepEqual(misfits(json, content.schema, document), [], text)
}

for (const operation of operations.filter((one) => !isStream(one))) {
  test(`${operation.method} ${operation.path}`, async () => {
    await fc.assert(
      fc.asyncProperty(requestsOf(operation), async ({ method, path, query, body }) => {
        const isRead = method === 'GET'
        const headers = { authorization }
        const asked = isRead ? { headers } : { headers, body }
        checked(operation, await world.ask(method, path + query, asked))
      }),
      { numRuns: 60 },
    )
  })
}

const hex = fc.string({
  unit: fc.constantFrom(...Array.from('0123456789abcdef')),
  minLength: 40,
  maxLength: 40,
})
const someText = fc.oneof(fc.constant('refs/heads/main'), fc.string(), hex)
const repository = fc.record(
  { clone_url: fc.oneof(fc.webUrl(), fc.jsonValue()), links: fc.jsonValue() },
  { requiredKeys: [] },
)
const pushes = fc.oneof(
  fc.record(
    {
      ref: fc.oneof(someText, fc.jsonValue()),
      after: fc.oneof(hex, fc.jsonValue()),
      repository: fc.oneof(repository, fc.jsonValue()),
      project: fc.jsonValue(),
      push: fc.record({
        changes: fc.array(fc.record({ new: fc.record({ type: someText, name: someText }) })),
      }),
      changes: fc.array(fc.record({ refId: someText, toHash: hex })),
    },
    { requiredKeys: [] },
  ),
  fc.jsonValue(),
)

test('webhooks that prove themselves, with any body', async () => {
  const hook = operations.find(({ path }) => path === '/api/v1/hooks/{kind}')!
  const origin = operations.find(({ path }) => path === '/api/webhook')!
  const events = ['push', 'Push Hook', 'repo:push', 'ping', '']
  const asked = fc.record({
    kind: fc.constantFrom(...kinds),
    event: fc.constantFrom(...events),
    // what begins as `TIMESTAMP.BODY` does is refused, whoever signed it
    body: fc
      .oneof(
        pushes.map((value) => JSON.stringify(value)),
        fc.string(),
      )
      .filter((body) => !/^\d{10,12}\./.test(body)),
    isOrigin: fc.boolean(),
    isRight: fc.boolean(),
    wait: fc.constantFrom('', '?wait=true'),
  })
  await fc.assert(
    fc.asyncProperty(asked, async ({ kind, event, body, isOrigin, isRight, wait }) => {
      const mac = createHmac('sha256', isRight ? secret : 'other')
        .update(body)
        .digest('hex')
      const headers = {
        'x-github-event': event,
        'x-gitlab-event': event,
        'x-gitea-event': event,
        'x-event-key': event,
        'x-gitlab-token': isRight ? secret : 'other',
        'x-gitea-signature': mac,
        'x-hub-signature': `sha256=${mac}`,
        'x-hub-signature-256': `sha256=${mac}`,
      }
      const path = isOrigin ? '/api/webhook' : `/api/v1/hooks/${kind}`
      const answered = await world.ask('POST', path + wait, { headers, body })
      assert.equal(answered.status === 401, !isRight, answered.text)
      checked(isOrigin ? origin : hook, answered)
    }),
    { numRuns: 300 },
  )
})

test('paths, methods and headers of any kind', async () => {
  const character = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code))
  const printable = fc.string({ unit: character, maxLength: 60 })
  const asked = fc.record({
    method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'TRACE', 'PROPFIND'),
    path: fc.oneof(
      printable.map((text) => `/${text}`),
      printable.map((text) => `/api/v1/apps/${text}`),
      fc.constantFrom(...operations.map(({ path }) => path)),
    ),
    headers: fc.dictionary(
      fc.constantFrom(
        'authorization',
        'last-event-id',
        'if-none-match',
        'accept',
        'origin',
        'range',
      ),
      printable,
    ),
  })
  await fc.assert(
    fc.asyncProperty(asked, async ({ method, path, headers }) => {
      if (method === 'GET' && /^\/api\/(v1\/)?events/.test(path)) return
      const given = { authorization, ...headers }
      const { status } = await world.ask(method, path, { headers: given })
      assert.ok(status < 500, String(status))
    }),
    { numRuns: 400 },
  )
  assert.equal((await world.ask('GET', '/healthz')).status, 200)
})
