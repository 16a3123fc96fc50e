/** What the verbs of charts say where a new user stumbled. */
import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
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

test('a copy of a folder that changes what the first installed is told', async () => {
  const { tend, chart, folder } = fresh()
  await tend(`install ${chart('shop', shop)} --set tag=1`)
  cpSync(join(folder, 'shop'), join(folder, 'other'), { recursive: true })
  const { err } = await tend(`upgrade ${folder}/other`)
  assert.match(err, /Note: shop was last applied from \S+shop, and now from \S+other; -n NAMESPACE/)
  assert.equal((await tend('upgrade shop')).err, '', 'and is not told again')
})

test('a namespace at another place is understood well enough to say where it goes', async () => {
  const { tend, chart } = fresh()
  await tend(`install ${chart('shop', shop)} -n prod`)
  await assert.rejects(tend('uninstall prod shop'), {
    suggestion: 'if prod is a namespace: tend uninstall shop -n prod',
  })
  const { err } = await tend('status prod/shop')
  assert.match(err, /there is no folder prod\/shop\n +Suggestion: .*write: shop -n prod/)
  for (const verb of ['status', 'list']) {
    const elsewhere = await tend(`${verb} -n nope`)
    assert.equal(
      elsewhere.out,
      'Nothing is installed in namespace nope. Installed: shop (-n prod)\n',
    )
  }
})

test('what was uninstalled is told apart from what never was', async () => {
  const { tend, chart } = fresh()
  const path = chart('shop', shop)
  await tend(`install ${path} --set tag=1`)
  await tend('uninstall shop')
  const { err } = await tend('status shop')
  assert.match(err, /no chart named "shop" is installed \(run 2 uninstalled it\)/)
  assert.ok(err.includes(`again with: tend install ${path}`), err)
  await tend(`install ${path} --set tag=1`)
  const back = await tend('rollback shop 1')
  assert.match(back.err, /run 1 of shop was before it was uninstalled/)
  assert.match(back.err, /runs that went well: 3/)
})

test('a run that failed is applied again only with a warning', async () => {
  const { tend, chart } = fresh()
  const path = chart('shop', { 'container/web': { image: 'a' } })
  await tend(`install ${path}`)
  chart('shop', { 'container/web': { image: 'b', isUnhealthy: true } })
  await tend('upgrade shop')
  assert.match((await tend('rollback shop 2')).err, /Warning: run 2 did not go well: failed/)
})

test('values that are typed wrong are told before anything else', async () => {
  const { tend, chart } = fresh()
  const { code, out, err } = await tend(`install ${chart('shop', shop)} --set a`)
  assert.deepEqual([code, out], [2, ''])
  assert.match(err, /^✗ --set: "a" has no "=" behind a\n +Suggestion: write it like --set image/)
})

test('without a word the chart of this folder is meant, and said to be missing where there is none', async () => {
  const { tend } = fresh()
  const { code, err } = await tend('install')
  assert.equal(code, 2)
  assert.match(err, /tend install needs PATH or NAME: there is no Chart\.yaml in this folder/)
})

test('lint tells the version', async () => {
  const { tend, chart } = fresh()
  const { version } = JSON.parse((await tend(`lint ${chart('shop', shop)} -o json`)).out)
  assert.equal(version, '1.0.0')
})

test('a failed command of a stack speaks of a stack', async () => {
  const { tend } = fresh()
  const document = JSON.parse((await tend('compose status -p nope -o json')).out)
  assert.equal(document.stack, null)
  assert.ok(!('chart' in document))
})
