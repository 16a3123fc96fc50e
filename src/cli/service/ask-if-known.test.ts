/** Which application a name means where both the service and this machine's history know one. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Application } from '#model/application.ts'
import type { Flags } from '../arguments/invocation.ts'
import type { CommandContext } from '../session.ts'
import { serviceFirst } from './ask-if-known.ts'
import { writeNote } from './note.ts'

test('a name without a namespace means what was installed here under exactly that name', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'tend-ask-'))
  const apps = [
    {
      key: 'chart:service/hello',
      application: { kind: 'chart', namespace: 'service', name: 'hello' },
    },
  ]
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(apps))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.after(() => {
    server.close()
    rmSync(home, { recursive: true })
  })
  writeNote(home, `http://127.0.0.1:${(server.address() as AddressInfo).port}`, 0, 't'.repeat(40))
  /** Whom a verb asks, where these are installed. */
  async function asked(word: string, namespace: string | null, installed: readonly Application[]) {
    const application = async (one: Application) =>
      installed.some(
        ({ kind, name, ...of }) =>
          kind === one.kind && name === one.name && of.namespace === one.namespace,
      )
        ? { application: one, isUninstalled: false }
        : undefined
    const session = { environment: {}, home, memoryIfAny: async () => ({ store: { application } }) }
    const context = { session, signal: t.signal } as unknown as CommandContext
    const flags = { namespace, service: {} } as unknown as Flags
    let whom = 'nobody'
    await serviceFirst(
      word,
      flags,
      context,
      async (_, app) => {
        whom = app.key
        return 0
      },
      async () => {
        whom = 'here'
        return 0
      },
    )
    return whom
  }
  const byHand: Application = { kind: 'chart', namespace: null, name: 'hello' }
  const byService: Application = { kind: 'chart', namespace: 'service', name: 'hello' }
  assert.equal(await asked('hello', null, [byService]), 'chart:service/hello')
  assert.equal(await asked('hello', null, [byHand, byService]), 'here')
  assert.equal(await asked('hello', 'service', [byHand, byService]), 'chart:service/hello')
  assert.equal(await asked('service/hello', null, [byHand, byService]), 'chart:service/hello')
})
