/** What the verbs of charts say where a new user stumbled. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { commandLine, type CommandLine } from '../../../test/fake/command-line.ts'

const opened: CommandLine[] = []
after(() => {
  for (const line of opened) line.remove()
})

function fresh(): CommandLine {
  const line = commandLine()
  opened.push(line)
  return line
}

const shop = {
  'network/front': {},
  'container/web': { image: 'web:%tag%', needs: ['network/front'] },
}

test('a plan says how to apply it with the flags it was made with', async () => {
  const { tend, chart } = fresh()
  const path = chart('shop', shop)
  const flags = '-n prod --set tag=1 --set-string note=a;b -f /dev/null --allow-env A --allow-empty'
  const { out } = await tend(`plan ${path} ${flags}`)
  const quoted = flags.replace('note=a;b', "'note=a;b'")
  const said = /Apply with: tend install (.*)\n$/.exec(out)?.[1]
  assert.equal(said, `${path} ${quoted}`)
  const reset = await tend(`plan ${path} --reset-values --prune-volumes`)
  assert.match(reset.out, /install \S+ --reset-values --prune-volumes\n$/)
  const secret = await tend(`plan ${path} --set db.password=hunter2`)
  assert.match(secret.out, /install \S+ --set db\.password=…\n$/)
})

test('a preview speaks of what would be, and not of nothing to change below an error', async () => {
  const { tend, chart } = fresh()
  const wrong = { 'container/web': { wrong: 'spec.port: bad' } }
  const before = await tend(`plan ${chart('shop', wrong)}`)
  assert.match(before.out, /1 problem in 1 file\. web would not be created\.\n/)
  assert.match(before.out, /Errors: 1 failed\nNothing would be changed\n$/)
  const path = chart('shop', { 'container/web': { image: 'a' } })
  assert.equal((await tend(`install ${path}`)).code, 0)
  chart('shop', wrong)
  const after = await tend(`plan ${path}`)
  assert.match(after.out, /web would be left as it is\.\n/)
})

test('what is at fault counts as failed, what waits for it as skipped', async () => {
  const { tend, chart } = fresh()
  const path = chart('shop', {
    'container/db': { wrong: 'spec.port: bad' },
    'container/web': { image: 'a', needs: ['container/db'] },
  })
  const { out } = await tend(`install ${path}`)
  assert.match(out, /\nErrors: 1 failed, 1 skipped\n/)
  const { summary } = JSON.parse((await tend(`install ${path} -o json`)).out)
  assert.equal(summary.failed, 1)
  assert.equal(summary.skipped, 1)
})

test('a run that failed and changed nothing leaves what runs healthy, and is told', async () => {
  const { tend, chart, world } = fresh()
  const path = chart('shop', { 'container/web': { image: 'a' } })
  await tend(`install ${path}`)
  chart('shop', { 'container/web': { image: 'b' } })
  world.fault = { call: world.calls.length, fault: 'permanent' }
  assert.equal((await tend('upgrade shop')).code, 1)
  const status = await tend('status shop')
  assert.match(status.out, /^shop 1\.0\.0 {3}healthy {3}run 1, /)
  assert.match(status.out, /\nNote: run 2 failed.*; in force is run 1\n$/)
  assert.equal(status.code, 0)
})

test('an application that declares nothing is well, and says so', async () => {
  const { tend, chart } = fresh()
  const path = chart('shop', { 'container/web': { image: 'a' } })
  await tend(`install ${path}`)
  chart('shop', {})
  assert.equal((await tend('upgrade shop --allow-empty')).code, 0)
  const status = await tend('status shop')
  assert.match(status.out, /healthy.*\n\nNothing is declared\.\n$/)
  assert.equal(status.code, 0)
})

test('documents have absolute paths', async () => {
  const { tend, chart, folder } = fresh()
  await tend(`install ${chart('shop', shop)}`)
  const { path } = JSON.parse((await tend('status shop -o json')).out)
  assert.equal(path, join(folder, 'shop'))
})

test('what goes is told in the order in which it goes', async () => {
  const { tend, chart } = fresh()
  await tend(`install ${chart('shop', shop)}`)
  const { out } = await tend('uninstall shop')
  assert.ok(out.indexOf('Containers:') < out.indexOf('Networks:'), out)
})
