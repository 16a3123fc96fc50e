/** Our own endpoints under /api/v1, and what every endpoint has in common. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { filesBelow } from '#cli/service/dashboard-files.ts'
import type { Plan } from '#model/plan.ts'
import { fakeService } from '../fake/service.ts'
import { startWorld } from './server-world.ts'

const planted = 'planted-plan-secret'
const operation = {
  id: 'create',
  verb: 'create',
  after: [],
  words: 'Creating web',
  disrupts: false,
}
const plan: Plan = {
  groups: [
    {
      ref: 'container/web',
      step: 'replace',
      cause: 'image changed',
      changes: [
        { path: 'image', from: 'web:1', to: 'web:2' },
        { path: 'environment.DB_PASSWORD', from: planted, to: `${planted}2` },
      ],
      needs: [],
      prepare: [],
      make: [{ ...operation, payload: { env: planted } }],
      gate: 'healthy',
      subject: { env: planted },
      undo: [],
      finish: [],
    },
  ],
  unchanged: [],
  skipped: [],
  kept: [],
  warnings: [],
  isFirst: false,
}
const service = fakeService(['web', 'db'], plan)
const { ask, served } = await startWorld({ service })
after(() => served.close())
const web = '/api/v1/apps/stack:web'

test('applications', async () => {
  const all = await ask('GET', '/api/v1/apps')
  assert.deepEqual(
    all.json.map(({ key }: { key: string }) => key),
    ['stack:web', 'stack:db'],
  )
  assert.deepEqual((await ask('GET', web)).json, all.json[0])
  assert.deepEqual((await ask('GET', '/api/v1/apps/stack%3Aweb')).json, all.json[0])
  const unknown = await ask('GET', '/api/v1/apps/stack:none')
  assert.deepEqual(
    [unknown.status, unknown.json],
    [
      404,
      {
        type: 'urn:tend:problem:not_found',
        title: 'Not Found',
        status: 404,
        detail: 'no application stack:none',
        code: 'not_found',
      },
    ],
  )
  assert.match(unknown.headers['content-type'] ?? '', /^application\/problem\+json/)
})

test('plan and diff, nothing secret in them', async () => {
  const planned = await ask('GET', `${web}/plan`)
  assert.equal(planned.json.groups[0].ref, 'container/web')
  assert.deepEqual(planned.json.groups[0].changes[0], plan.groups[0]!.changes[0])
  const differs = await ask('GET', `${web}/diff`)
  assert.equal(
    differs.json.text,
    'replace container/web: image changed\n  image: web:1 → web:2\n  environment.DB_PASSWORD: ****** → ******',
  )
  assert.ok(!`${planned.text}${differs.text}`.includes(planted))
})

test('sync at once or with ?wait=true, runs and their events', async () => {
  let end = () => {}
  service.until = new Promise((resolve) => (end = resolve))
  const begun = await ask('POST', `${web}/sync`)
  assert.deepEqual([begun.status, begun.json.status.state], [202, 'syncing'])
  end()
  service.until = Promise.resolve()
  const waited = await ask('POST', `${web}/sync?wait=true`)
  assert.deepEqual([waited.status, waited.json.outcome], [200, 'succeeded'])
  const runs = await ask('GET', `${web}/runs`)
  assert.deepEqual(
    runs.json.map(({ number }: { number: number }) => number),
    [2, 1],
  )
  const run = await ask('GET', `${web}/runs/2`)
  assert.deepEqual(
    run.json.events.map(({ type }: { type: string }) => type),
    ['started', 'planned', 'ended'],
  )
  assert.ok(!run.text.includes(planted))
  const latest = await ask('GET', '/api/v1/runs?limit=1')
  assert.equal(latest.status, 200)
  assert.deepEqual(
    latest.json.runs.map(({ key }: { key: string }) => key),
    ['stack:web'],
  )
  assert.equal((await ask('GET', '/api/v1/runs?limit=0')).status, 400)
  assert.equal((await ask('GET', `${web}/runs/9`)).status, 404)
  assert.equal((await ask('GET', `${web}/runs/x`)).status, 400)
})

test('rollback, suspend, resume, acknowledge', async () => {
  const back = await ask('POST', `${web}/rollback?wait=true`, { body: '{"run":1}' })
  assert.equal(back.json.status.lastRun.trigger, 'rollback')
  assert.equal((await ask('POST', `${web}/rollback?wait=true`)).status, 200)
  assert.equal((await ask('POST', `${web}/rollback`, { body: '{"run":99}' })).status, 404)
  assert.equal((await ask('POST', `${web}/rollback`, { body: '{"run":"1"}' })).status, 400)
  const typo = await ask('POST', `${web}/sync`, { body: '{"alowMassDelete":true}' })
  assert.deepEqual([typo.status, typo.json.detail], [400, 'the body: there is no alowMassDelete'])
  assert.equal((await ask('POST', `${web}/suspend`)).json.state, 'suspended')
  const refused = await ask('POST', `${web}/sync`)
  assert.deepEqual([refused.status, refused.json.code], [409, 'suspended'], 'told at once')
  assert.equal((await ask('POST', `${web}/resume`)).json.isSuspended, false)
  assert.equal((await ask('POST', `${web}/acknowledge?wait=true`)).json.outcome, 'succeeded')
  assert.equal((await ask('POST', '/api/v1/apps/stack:none/sync')).status, 404)
})

test('containers, logs, sources, refresh', async () => {
  assert.equal((await ask('GET', `${web}/containers`)).json[0].name, 'web-web-1')
  assert.equal((await ask('GET', `${web}/logs/web`)).text, 'one\ntwo\nthree\n')
  assert.equal((await ask('GET', `${web}/logs/web?tail=1&follow=true`)).text, 'three\n')
  const none = await ask('GET', `${web}/logs/nobody`)
  assert.deepEqual([none.status, none.json.detail], [404, 'stack:web has no container nobody'])
  assert.equal((await ask('GET', `${web}/logs/web?tail=-1`)).status, 400)
  assert.equal((await ask('GET', '/api/v1/sources')).json[0].ref, 'main')
  assert.equal((await ask('POST', '/api/v1/refresh')).status, 202)
})

test('health and metrics', async () => {
  assert.equal((await ask('GET', '/healthz')).text, 'ok\n')
  assert.equal((await ask('GET', '/readyz')).status, 200)
  const starting = fakeService([])
  const other = await startWorld({ service: { ...starting, isReady: () => false } })
  assert.equal((await other.ask('GET', '/readyz')).status, 503)
  await other.served.close()
  const metrics = await ask('GET', '/metrics')
  assert.match(metrics.text, /tend_http_requests_total\{route="\/api\/v1\/apps",status="200"\} \d+/)
  assert.ok(!metrics.text.includes('stack:web'), 'no path is a label')
})

test('an answer that did not change is not sent again', async () => {
  for (const path of ['/api/stacks', '/api/v1/apps', '/api/v1/sources', '/api/openapi.json']) {
    const { headers } = await ask('GET', path)
    const again = { headers: { 'if-none-match': headers.etag ?? '' } }
    const same = await ask('GET', path, again)
    assert.deepEqual([same.status, same.text], [304, ''], path)
    if (path.includes('openapi') || path.includes('sources')) continue
    service.set('stack:web', { failures: Math.floor(Math.random() * 1e9), state: 'deleting' })
    service.set('stack:web', { containers: { running: Date.now() % 1e6, total: 7 } })
    const changed = await ask('GET', path, again)
    assert.equal(changed.status, 200, path)
    assert.notEqual(changed.headers.etag, headers.etag)
  }
})

test('HEAD, OPTIONS, wrong methods, unknown paths', async () => {
  const { headers, text } = await ask('GET', '/api/stacks')
  const head = await ask('HEAD', '/api/stacks')
  assert.deepEqual([head.status, head.text], [200, ''])
  assert.equal(head.headers['content-length'], String(Buffer.byteLength(text)))
  assert.equal(head.headers.etag, headers.etag)
  assert.equal((await ask('HEAD', '/api/events')).status, 200)
  const wrong = await ask('DELETE', '/api/v1/apps')
  assert.deepEqual([wrong.status, wrong.headers.allow], [405, 'GET, HEAD, OPTIONS'])
  assert.deepEqual([wrong.json.status, wrong.json.title], [405, 'Method Not Allowed'])
  const refresh = await ask('GET', '/api/refresh')
  assert.deepEqual([refresh.status, refresh.headers.allow], [405, 'OPTIONS, POST'])
  assert.equal((await ask('OPTIONS', '/api/refresh')).status, 204)
  for (const path of [
    '/nowhere',
    '/api',
    '/api/v1/',
    '/api/v1/apps/',
    '//',
    '/%zz',
    `${web}/plan/x`,
  ]) {
    const { status, json } = await ask('GET', path)
    assert.deepEqual([status, json.code], [404, 'not_found'], path)
  }
  assert.equal((await ask('GET', '/api/v1/apps/%zz')).status, 404)
  assert.equal((await ask('GET', '/api/v1/apps/..%2f..%2fetc')).status, 404)
})

test('headers that keep browsers from guessing', async () => {
  const { headers } = await ask('GET', '/api/stacks')
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.match(String(headers['content-security-policy']), /default-src 'none'/)
  assert.equal(headers['access-control-allow-origin'], undefined)
  assert.equal(headers['x-powered-by'], undefined)
})

test('a bug shows as one, and its words only in the log', async () => {
  const broken = fakeService(['web'])
  const world = await startWorld({
    service: {
      ...broken,
      plan: () => Promise.reject(new Error(`connect failed with ${planted}`)),
    },
  })
  const { status, json, text } = await world.ask('GET', `${web}/plan`)
  assert.deepEqual([status, json.code], [500, 'bug'])
  assert.ok(!text.includes(planted))
  assert.match(world.log.join('\n'), /a request met a bug/)
  await world.served.close()
})

test('the OpenAPI document tells of every path, each with its role', async () => {
  const { json } = await ask('GET', '/api/openapi.json')
  assert.equal(json.openapi, '3.1.0')
  const paths = Object.keys(json.paths)
  for (const path of [
    '/',
    '/api/stacks',
    '/api/stacks/containers/{path}',
    '/api/webhook',
    '/api/events',
    '/api/v1/apps/{key}/rollback',
    '/api/v1/hooks/{kind}',
    '/metrics',
  ]) {
    assert.ok(paths.includes(path), path)
  }
  assert.equal(json.paths['/api/refresh'].post['x-access'], 'sync')
  const references = [...JSON.stringify(json).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)]
  for (const [, name] of references) assert.ok(json.components.schemas[name!], name)
  assert.ok(references.length > 20)
})

test('the files of a dashboard, and no others', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tend-web-'))
  t.after(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'dist'))
  writeFileSync(join(folder, 'secret.txt'), planted)
  writeFileSync(join(folder, 'dist', 'index.html'), '<h1>Tend</h1>')
  writeFileSync(join(folder, 'dist', 'app.js'), 'go()')
  mkdirSync(join(folder, 'dist', 'assets'))
  writeFileSync(join(folder, 'dist', 'assets', 'main-ABC.js'), 'plain')
  writeFileSync(join(folder, 'dist', 'assets', 'main-ABC.js.br'), 'compressed')
  const world = await startWorld({
    dashboard: filesBelow(join(folder, 'dist')),
    fileToken: 'f'.repeat(40),
  })
  const page = await world.ask('GET', '/', { headers: { accept: 'text/html' } })
  assert.equal(page.text, '<h1>Tend</h1>')
  assert.match(String(page.headers['content-security-policy']), /default-src 'self'/)
  assert.equal((await world.ask('GET', '/app.js')).text, 'go()')
  assert.equal((await world.ask('GET', '/apps/stack:web')).text, '<h1>Tend</h1>')
  assert.equal((await world.ask('GET', '/apps/stack:web.v2/plan')).text, '<h1>Tend</h1>')
  const headers = { 'accept-encoding': 'gzip, deflate, br' }
  const asset = await world.ask('GET', '/assets/main-ABC.js', { headers })
  assert.equal(asset.text, 'compressed')
  assert.equal(asset.headers['content-encoding'], 'br')
  assert.equal(asset.headers['vary'], 'Accept-Encoding')
  assert.match(String(asset.headers['cache-control']), /immutable/)
  assert.equal((await world.ask('GET', '/assets/main-ABC.js')).text, 'plain')
  const picky = { headers: { 'accept-encoding': 'br;q=0' } }
  assert.equal((await world.ask('GET', '/assets/main-ABC.js', picky)).text, 'plain')
  assert.equal((await world.ask('GET', '/assets/main-ABC.js.br')).status, 404)
  for (const path of ['/../secret.txt', '/%2e%2e/secret.txt', '/..%2fsecret.txt', '/api/none']) {
    const { status, text } = await world.ask('GET', path)
    assert.equal(status, 404, path)
    assert.ok(!text.includes(planted))
  }
  assert.equal((await world.ask('GET', '/')).status, 401)
  await world.served.close()
})
