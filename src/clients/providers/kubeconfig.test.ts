import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stringify } from 'yaml'
import { contactIn } from './kubeconfig.ts'

const data = (text: string): string => Buffer.from(text).toString('base64')

function config(more: Record<string, unknown> = {}): Record<string, unknown> {
  const cluster = { server: 'https://127.0.0.1:6443', 'certificate-authority-data': data('CA') }
  const user = { 'client-certificate-data': data('CERT'), 'client-key-data': data('KEY') }
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'kind-dev', cluster }],
    contexts: [{ name: 'kind-dev', context: { cluster: 'kind-dev', user: 'kind-dev' } }],
    'current-context': 'kind-dev',
    users: [{ name: 'kind-dev', user }],
    ...more,
  }
}

test('the contact is the same however the file is written', () => {
  const contact = {
    server: new URL('https://127.0.0.1:6443'),
    ca: 'CA',
    cert: 'CERT',
    key: 'KEY',
    token: undefined,
  }
  const plain = stringify(config(), { lineWidth: 0 })
  for (const text of [plain, JSON.stringify(config()), plain.replace('server: ', 'server:   ')]) {
    assert.deepEqual(contactIn(text, 'dev'), contact)
  }
})

test('a token is part of it, on a line of its own and in a file of JSON', () => {
  const users = [{ name: 'kind-dev', user: { token: 'abc.def' } }]
  const text = stringify(config({ users }), { lineWidth: 0 })
  for (const written of [text, JSON.stringify(config({ users }))]) {
    assert.equal(contactIn(written, 'dev').token, 'abc.def')
  }
})

test('of several clusters the current one counts', () => {
  const other = { server: 'https://10.0.0.1:6443', 'certificate-authority-data': data('OTHER') }
  const [own] = config()['clusters'] as readonly unknown[]
  const text = stringify(config({ clusters: [{ name: 'other', cluster: other }, own] }))
  assert.equal(contactIn(text, 'dev').ca, 'CA')
})

test('a value over several lines is not cut', () => {
  const long = 'x'.repeat(300)
  const cluster = { server: 'https://127.0.0.1:6443', 'certificate-authority-data': data(long) }
  const text = stringify(config({ clusters: [{ name: 'kind-dev', cluster }] }), { lineWidth: 40 })
  assert.equal(contactIn(text, 'dev').ca, long)
})

test('without certificates, and a value that goes on on the next line', () => {
  const [cluster] = config()['clusters'] as readonly unknown[]
  const users = [{ name: 'kind-dev', user: {} }]
  const bare = contactIn(stringify(config({ users, clusters: [cluster] }), { lineWidth: 0 }), 'dev')
  assert.deepEqual([bare.ca, bare.cert, bare.key], ['CA', undefined, undefined])
  const text = stringify(config(), { lineWidth: 0 })
  const broken = text.replace(data('CERT'), `${data('CER')}\n        VA==`)
  assert.equal(contactIn(broken, 'dev').cert?.startsWith('CER'), true)
  assert.notEqual(contactIn(broken, 'dev').cert, 'CER')
})
