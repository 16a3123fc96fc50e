/** systemd hears from the main loop of the service: ready, signs of life while it turns, and that it ends. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { test } from 'node:test'
import { notifySocket } from '../testbed/notify-socket.ts'
import { required } from '../testbed/packages.ts'
import { servingOn, waitFor } from '../testbed/serving.ts'

const skip = required('systemd-analyze')
const repository =
  'sources: { shop: { git: "file:///nowhere/at/all.git", ref: main } }\ndiscover: [{ source: shop }]\n'

test('ready, alive, ending: on a socket with a path', { skip }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tend-notify-'))
  const address = join(folder, 'notify')
  const socket = await notifySocket(address)
  // what any child gets to see is what git gets to see
  const seen = join(folder, 'environment')
  const git = spawnSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).stdout.trim()
  writeFileSync(join(folder, 'git'), `#!/bin/sh\nenv >> ${seen}\nexec ${git} "$@"\n`)
  chmodSync(join(folder, 'git'), 0o755)
  const serving = await servingOn({
    NOTIFY_SOCKET: address,
    WATCHDOG_USEC: '600000',
    PATH: `${folder}${delimiter}${process.env['PATH']}`,
  })
  t.after(async () => {
    await serving.remove()
    socket.close()
    rmSync(folder, { recursive: true })
  })
  const alive = (): number => socket.heard.filter((word) => word === 'WATCHDOG=1').length
  serving.declare(repository)
  await serving.start()
  await waitFor(() => alive() >= 2)
  assert.equal(socket.heard[0], 'READY=1')
  await waitFor(() => existsSync(seen) && readFileSync(seen, 'utf8').includes('PATH='))
  assert.doesNotMatch(readFileSync(seen, 'utf8'), /NOTIFY_SOCKET|WATCHDOG/)

  serving.signal('SIGSTOP')
  await pause(500)
  const before = alive()
  await pause(1_500)
  assert.equal(alive(), before, 'a loop that stands still says nothing')
  serving.signal('SIGCONT')
  await waitFor(() => alive() > before)
  assert.equal(await serving.stop(), 0)
  await waitFor(() => socket.heard.includes('STOPPING=1'))
})

test('a name without a file; without a watchdog only ready and ending', { skip }, async (t) => {
  const address = `@tend-notify-${process.pid}`
  const socket = await notifySocket(address)
  const serving = await servingOn({
    NOTIFY_SOCKET: address,
    WATCHDOG_USEC: '1000',
    WATCHDOG_PID: '1',
  })
  t.after(async () => {
    await serving.remove()
    socket.close()
  })
  serving.declare(repository)
  await serving.start()
  await waitFor(() => socket.heard.includes('READY=1'))
  await serving.stop()
  await waitFor(() => socket.heard.includes('STOPPING=1'))
  assert.deepEqual(socket.heard, ['READY=1', 'STOPPING=1'])
})

test('the unit has a watchdog that a child may answer', () => {
  const unit = readFileSync('packaging/tend.service', 'utf8')
  for (const line of ['Type=notify', 'NotifyAccess=all', 'WatchdogSec=60s', 'Restart=on-failure']) {
    assert.match(unit, new RegExp(`^${line}$`, 'm'))
  }
})
