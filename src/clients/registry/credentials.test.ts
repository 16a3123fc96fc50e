import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { authHeader } from './auth-header.ts'
import { authFor } from './credentials.ts'

const folder = mkdtempSync(join(tmpdir(), 'tend-credentials-'))
after(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'auth.json')
const auth = (text: string) => ({ auth: Buffer.from(text).toString('base64') })
writeFileSync(
  file,
  JSON.stringify({
    auths: {
      'registry.example:5000': auth('all:a:b'),
      'registry.example:5000/team': auth('team:t'),
      'https://index.docker.io/v1/': auth('hub:h'),
    },
  }),
)

async function loginFor(image: string): Promise<unknown> {
  const header = await authFor(image, { REGISTRY_AUTH_FILE: file })
  return header === undefined ? undefined : JSON.parse(Buffer.from(header, 'base64url').toString())
}

test('the longest key that fits wins; a password may hold a colon', async () => {
  assert.deepEqual(await loginFor('registry.example:5000/app:1'), {
    username: 'all',
    password: 'a:b',
  })
  assert.deepEqual(await loginFor('registry.example:5000/team/app@sha256:00'), {
    username: 'team',
    password: 't',
  })
})

test('short names are of docker.io', async () => {
  assert.deepEqual(await loginFor('nginx'), { username: 'hub', password: 'h' })
  assert.deepEqual(await loginFor('me/app:2'), { username: 'hub', password: 'h' })
})

test('nobody logged in there', async () => {
  assert.equal(await loginFor('quay.io/app'), undefined)
  assert.equal(await authFor('nginx', { HOME: folder, XDG_RUNTIME_DIR: folder }), undefined)
})

test('a helper program is asked: one for the registry, one for all, and tokens are told apart', async () => {
  const helper = join(folder, 'docker-credential-tend')
  const script = `#!/bin/sh
read -r registry
case $registry in
  own.example) echo '{"Username":"own","Secret":"o"}' ;;
  https://index.docker.io/v1/) echo '{"Username":"<token>","Secret":"t"}' ;;
  *) echo 'credentials not found' ; exit 1 ;;
esac
`
  writeFileSync(helper, script, { mode: 0o755 })
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ credsStore: 'tend' }))
  const before = process.env['PATH']
  process.env['PATH'] = `${folder}:${before}`
  const environment = { HOME: folder, XDG_RUNTIME_DIR: folder, DOCKER_CONFIG: folder }
  const ask = async (image: string) => {
    const header = await authFor(image, environment)
    return header === undefined ? undefined : JSON.parse(Buffer.from(header, 'base64').toString())
  }
  assert.deepEqual(await ask('own.example/app'), { username: 'own', password: 'o' })
  assert.deepEqual(await ask('nginx'), { identitytoken: 't' })
  assert.equal(await ask('none.example/app'), undefined)
  process.env['PATH'] = before
})

test('the header is padded: Docker ignores one that is not', async () => {
  for (const name of ['a', 'ab', 'abc']) assert.equal(authHeader({ name }).length % 4, 0)
  assert.equal(authHeader({ '?': 'ÿ>' }), 'eyI_Ijoiw78-In0=')
})
