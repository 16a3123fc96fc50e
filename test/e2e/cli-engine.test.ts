/** An application stays with the engine that it was applied on, whatever engine the shell names later. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { requiredDocker, startDocker, type TestDocker } from '../testbed/docker.ts'
import { addImage, busybox } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'
import { startPodman, type TestPodman } from '../testbed/podman.ts'
import { tendOn, type Tend } from '../testbed/tend.ts'

const skip = requiredDocker() || required('podman')
let docker: TestDocker
let podman: TestPodman
let shell: Tend
let onDocker: Record<string, string>

before(async () => {
  if (skip !== false) return
  docker = await startDocker()
  podman = await startPodman()
  await Promise.all([docker.addImage(), addImage(podman.socket)])
  shell = tendOn(podman.socket)
  onDocker = { DOCKER_HOST: `unix://${docker.socket}` }
  shell.write({
    'shop/compose.yaml': `services:
  web:
    image: ${busybox}
    command: [/bin/sh, -c, "echo serving; exec sleep 100000"]
    stop_grace_period: 0s
    volumes: ["data:/data"]
volumes: {data: }
`,
    'note/Chart.yaml': 'name: note\nversion: 1.0.0\n',
    'note/templates/n.yaml':
      'apiVersion: cutepod/v1alpha0\nkind: CuteNetwork\nmetadata:\n  name: n\nspec:\n  driver: bridge\n',
  })
})
after(async () => {
  shell?.remove()
  await docker?.stop()
  await podman?.stop()
})

function inDocker(...words: readonly string[]): string {
  const line = ['-H', `unix://${docker.socket}`, ...words]
  return spawnSync('docker', line, { encoding: 'utf8' }).stdout.trim()
}

function inPodman(...words: readonly string[]): string {
  return spawnSync(podman.command, words, { encoding: 'utf8' }).stdout.trim()
}

test('a stack, in a shell that names another engine', { skip, timeout: 180_000 }, async (t) => {
  const file = '-f shop/compose.yaml'
  const first = await shell.tend(`up ${file} -v`, onDocker)
  assert.equal(first.code, 0, first.out + first.err)
  assert.match(first.out, new RegExp(`\nEngine: unix://${docker.socket}\n`))
  const made = inDocker('ps', '-q')

  await t.test('status, list and logs look where it runs, and say where', async () => {
    const status = await shell.tend(`compose status ${file}`)
    assert.equal(status.code, 0, status.out)
    assert.match(status.out, new RegExp(`healthy.*\non unix://${docker.socket}\n`))
    const list: { stacks: readonly { status: string; engine: string }[] } = JSON.parse(
      (await shell.tend('list -o json')).out,
    )
    assert.deepEqual(
      list.stacks.map(({ status: state, engine }) => ({ state, engine })),
      [{ state: 'healthy', engine: `unix://${docker.socket}` }],
    )
    assert.match((await shell.tend('logs shop web')).out, /serving/)
  })

  await t.test('up from the file is refused, with both addresses', async () => {
    for (const line of [`up ${file}`, `up ${file} --adopt`, `compose plan ${file}`]) {
      const { code, err } = await shell.tend(line)
      assert.equal(code, 2, err)
      assert.match(err, new RegExp(`shop was applied on unix://${docker.socket}, and the engine`))
      assert.match(err, new RegExp(`found now is unix://${podman.socket}`))
      assert.match(err, new RegExp(`--target unix://${docker.socket}`))
    }
    assert.equal(inPodman('ps', '-aq'), '')
    assert.equal(inPodman('volume', 'ls', '-q'), '')
  })

  await t.test('by its name it is applied where it is; put back and rolled back too', async () => {
    for (const line of ['up -p shop', 'reinit shop', 'compose rollback -p shop 1']) {
      const { code, out, err } = await shell.tend(line)
      assert.equal(code, 0, out + err)
      assert.match(out, /0 created, 0 updated, 0 deleted, 3 unchanged/)
    }
    assert.equal(inDocker('ps', '-q'), made)
    assert.equal(inPodman('ps', '-aq'), '')
  })

  await t.test('where it can not be reached it is not forgotten', async () => {
    const gone = 'unix:///nowhere/engine.sock'
    shell.write({
      'far/compose.yaml': `services: {a: {image: ${busybox}, command: sleep 9999, stop_grace_period: 0s}}\n`,
    })
    const up = await shell.tend('up -f far/compose.yaml', onDocker)
    assert.equal(up.code, 0, up.out + up.err)
    const open = new DatabaseSync(join(shell.folder, 'home/tend.db'))
    open
      .prepare(`update applications set source = replace(source, ?, ?) where key = 'stack:far'`)
      .run(`unix://${docker.socket}`, gone)
    open.close()
    const down = await shell.tend('down -p far')
    assert.equal(down.code, 1, down.out + down.err)
    assert.match(down.out, /nowhere\/engine\.sock.*\(it was applied there\)/)
    assert.match(down.out, /--target ADDRESS/)
    const status = await shell.tend('compose status -p far')
    assert.match(status.out, /unknown/)
    const decided = await shell.tend(`down -p far --target unix://${docker.socket}`)
    assert.equal(decided.code, 0, decided.out)
    assert.match(decided.out, /2 deleted/)
    assert.match(
      decided.err,
      /far was applied on unix:\/\/\/nowhere\/engine\.sock; what runs there/,
    )
  })

  await t.test('down takes it away where it runs', async () => {
    const { code, out } = await shell.tend('down -p shop')
    assert.equal(code, 0, out)
    assert.match(out, /2 deleted/)
    assert.equal(inDocker('ps', '-aq'), '')
    assert.equal((await shell.tend('compose status -p shop')).code, 2)
  })
})

test('a chart, in a shell that names another engine', { skip, timeout: 120_000 }, async () => {
  const first = await shell.tend('install ./note')
  assert.equal(first.code, 0, first.out + first.err)
  const other = { CONTAINER_HOST: `unix://${docker.socket}` }
  const upgrade = await shell.tend('upgrade ./note', other)
  assert.equal(upgrade.code, 2, upgrade.out)
  assert.match(upgrade.err, new RegExp(`note was applied on unix://${podman.socket}`))
  const document = await shell.tend('upgrade note -o json', other)
  const run: { status: string; engine: string } = JSON.parse(document.out)
  assert.deepEqual([run.status, run.engine], ['succeeded', `unix://${podman.socket}`])
  assert.equal((await shell.tend('status note', other)).code, 0)
  const removed = await shell.tend('uninstall note', other)
  assert.match(removed.out, /1 deleted/)
})
