import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
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
