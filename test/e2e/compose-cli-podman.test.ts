/** Stacks beside charts on one Podman: listed together, left alone when unchanged, watched over, put back. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { addImage, busybox } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'
import { startPodman, type TestPodman } from '../testbed/podman.ts'
import { tendOn, type Tend } from '../testbed/tend.ts'

const skip = required('podman')
let podman: TestPodman
let shell: Tend

before(async () => {
  if (skip !== false) return
  podman = await startPodman()
  await addImage(podman.socket)
  shell = tendOn(podman.socket)
  shell.write({
    'box/compose.yaml': `services:
  one:
    image: ${busybox}
    command: [/bin/sleep, "100000"]
    stop_grace_period: 0s
  two:
    image: ${busybox}
    command: [/bin/sleep, "100000"]
    stop_grace_period: 0s
`,
    'note/Chart.yaml': 'name: note\nversion: 1.0.0\n',
    'note/templates/n.yaml':
      'apiVersion: cutepod/v1alpha0\nkind: CuteNetwork\nmetadata:\n  name: n\nspec:\n  driver: bridge\n',
  })
})
after(async () => {
  shell?.remove()
  await podman?.stop()
})

function ids(): readonly string[] {
  const { stdout } = spawnSync(podman.command, ['ps', '-q', '--no-trunc'], { encoding: 'utf8' })
  return stdout.trim().split('\n').filter(Boolean).toSorted()
}

test('a stack beside a chart', { skip, timeout: 180_000 }, async (t) => {
  await t.test('up twice: nothing is made anew', async () => {
    const first = await shell.tend('up -f box/compose.yaml')
    assert.equal(first.code, 0, first.out + first.err)
    const made = ids()
    assert.equal(made.length, 2)
    const again = await shell.tend('up -f box/compose.yaml')
    assert.match(again.out, /0 created, 0 updated, 0 deleted, 3 unchanged/)
    assert.deepEqual(ids(), made)
  })

  await t.test('list tells kinds once there are two', async () => {
    assert.match((await shell.tend('list')).out, /^NAME +NAMESPACE/)
    const chart = await shell.tend('install ./note')
    assert.equal(chart.code, 0, chart.out + chart.err)
    const { out } = await shell.tend('list')
    assert.match(out, /^KIND +NAME +NAMESPACE/)
    assert.match(out, /\nchart +note +- +1\.0\.0 +1 +healthy/)
    assert.match(out, /\nstack +box +- +[0-9a-f]{12} +1 +healthy/)
    const document: { [key: string]: unknown } = JSON.parse(
      (await shell.tend('status -o json')).out,
    )
    assert.deepEqual(Object.keys(document), ['charts', 'stacks'])
  })

  await t.test('what is taken away is seen, and watch puts it back', async () => {
    spawnSync(podman.command, ['rm', '-f', '-t', '0', 'box-one-1'])
    const { code, out } = await shell.tend('compose status -p box')
    assert.equal(code, 1)
    assert.match(out, /✗ one-1 +missing/)
    const going = shell.start('watch box --interval 1s')
    for (let waited = 0; waited < 20_000 && !going.out().includes('repaired'); waited += 100) {
      await sleep(100)
    }
    going.child.kill('SIGINT')
    const told = await going.told
    assert.match(told.out, /✓ box: Container one-1 repaired/)
    assert.equal(ids().length, 2)
  })

  await t.test('reinit puts back what a reboot stopped', async () => {
    spawnSync(podman.command, ['stop', '-t', '0', '-a'])
    assert.equal(ids().length, 0)
    const { code, out } = await shell.tend('reinit')
    assert.equal(code, 0, out)
    assert.match(out, /Putting back stack: box\n/)
    assert.equal(ids().length, 2)
    assert.equal((await shell.tend('down -p box')).code, 0)
  })
})
