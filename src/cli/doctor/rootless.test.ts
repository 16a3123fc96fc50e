/** What a user without root is told: with the files that a machine has, and without them. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { rootlessFindings } from './rootless.ts'

const ann = { name: 'ann', uid: 1000 }

function machine(t: { after(undo: () => void): void }, files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), 'tend-rootless-'))
  t.after(() => rmSync(root, { recursive: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return `${root}/`
}

test('root needs none of it', () => {
  assert.deepEqual(rootlessFindings({ name: 'root', uid: 0 }), [])
})

test('where nothing is set up, each finding says what it costs and the line that mends it', (t) => {
  const root = machine(t, {
    'run/systemd/system/x': '',
    'etc/subuid': 'anna:100000:65536\n',
    'proc/sys/net/ipv4/ip_unprivileged_port_start': '1024\n',
  })
  const found = rootlessFindings(ann, root)
  assert.deepEqual(
    found.map(({ state }) => state),
    ['missing', 'missing', 'missing'],
  )
  for (const { costs, mend } of found) assert.ok(costs !== undefined && mend !== undefined)
  const [users, linger, ports] = found
  assert.equal(users?.found, '/etc/subuid and /etc/subgid give none to ann')
  assert.match(users?.mend ?? '', /^sudo usermod --add-subuids .* ann /)
  assert.equal(linger?.mend, 'sudo loginctl enable-linger ann')
  assert.match(ports?.costs ?? '', /below 1024/)
})

test('where all is set up, nothing is missing', (t) => {
  const root = machine(t, {
    'run/systemd/system/x': '',
    'etc/subuid': 'ann:100000:65536\n',
    'etc/subgid': '1000:100000:65536\n',
    'var/lib/systemd/linger/ann': '',
    'proc/sys/net/ipv4/ip_unprivileged_port_start': '80\n',
  })
  assert.deepEqual(
    rootlessFindings(ann, root).map(({ state }) => state),
    ['ok', 'ok', 'ok'],
  )
})
