/** What docker compose started is taken over without being made anew; a lost history loses neither name nor revision. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { composeOracle } from '../testbed/compose-oracle.ts'
import { requiredDocker, startDocker, type TestDocker } from '../testbed/docker.ts'
import { busybox } from '../testbed/image.ts'
import { tendOn, type Tend } from '../testbed/tend.ts'

const { path: compose, skip: lacking } = composeOracle()
const skip = requiredDocker() || lacking
let docker: TestDocker
let shell: Tend

before(async () => {
  if (skip !== false) return
  docker = await startDocker()
  await docker.addImage()
  shell = tendOn(docker.socket)
})
after(async () => {
  shell?.remove()
  await docker?.stop()
})

function text(level: string): string {
  return `name: old
services:
  web:
    image: ${busybox}
    command: [/bin/sleep, "100000"]
    environment: {LEVEL: ${level}}
    volumes: ["data:/data"]
    stop_grace_period: 0s
  db:
    image: ${busybox}
    command: [/bin/sleep, "100000"]
    stop_grace_period: 0s
volumes: {data: }
`
}

function theirs(...words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(compose, ['-f', 'old/compose.yaml', ...words], {
    cwd: shell.folder,
    env: { ...process.env, DOCKER_HOST: `unix://${docker.socket}` },
    encoding: 'utf8',
  })
  assert.equal(status, 0, stderr)
  return stdout.trim()
}

test('adopting a stack', { skip, timeout: 180_000 }, async (t) => {
  shell.write({ 'old/compose.yaml': text('info') })
  theirs('up', '-d')
  const ids = theirs('ps', '-q').split('\n').toSorted()

  await t.test('without the flag nothing of it is touched', async () => {
    const { code, out } = await shell.tend('up -f old/compose.yaml')
    assert.notEqual(code, 0, out)
    assert.deepEqual(theirs('ps', '-q').split('\n').toSorted(), ids)
  })

  await t.test('a dry run says what would be taken over, and takes nothing', async () => {
    shell.write({ 'old/compose.yaml': text('debug') })
    const plan = await shell.tend('compose plan -f old/compose.yaml --adopt')
    assert.equal(plan.code, 0, plan.err)
    assert.match(plan.err, /Would adopt as they are: .*db-1/)
    assert.match(plan.err, /make anew: web-1, because it was made with another environment.LEVEL$/m)
    shell.write({ 'old/other.yaml': text('debug') })
    const other = await shell.tend('compose plan -f old/other.yaml --adopt')
    assert.match(
      other.err,
      /make anew: web-1, because it was made with another environment.LEVEL: it was made from .*old\/compose.yaml/,
    )
    assert.match(plan.out, /Apply with: tend up -f old\/compose.yaml --adopt/)
    shell.write({ 'old/compose.yaml': text('info') })
    const { code, out } = await shell.tend('up -f old/compose.yaml --adopt --dry-run --exit-code')
    assert.equal(code, 0, out)
    assert.deepEqual(theirs('ps', '-q').split('\n').toSorted(), ids)
    const refused = await shell.tend('up -f old/compose.yaml')
    assert.notEqual(refused.code, 0, 'it was not taken over')
  })

  await t.test('with it what matches stays as it is', async () => {
    const { code, out, err } = await shell.tend('up -f old/compose.yaml --adopt')
    assert.equal(code, 0, out + err)
    assert.match(err, /Adopted as they are: .*web-1/)
    assert.match(out, /0 created, 0 updated, 0 deleted/)
    assert.deepEqual(theirs('ps', '-q').split('\n').toSorted(), ids)
  })

  await t.test('from then on it is a stack like any other', async () => {
    shell.write({ 'old/compose.yaml': text('debug') })
    const { code, out } = await shell.tend('up -f old/compose.yaml')
    assert.equal(code, 0, out)
    assert.match(out, /✓ web-1 +updated\n/)
    assert.match(out, /0 created, 1 updated, 0 deleted/)
  })

  await t.test('with the history gone it is still known, and unchanged', async () => {
    const [, , version] = (await shell.tend('list')).out.split('\n')[1]!.split(/ +/)
    rmSync(join(shell.folder, 'home'), { recursive: true })
    const { out } = await shell.tend('list')
    assert.match(out, new RegExp(`\\nold +- +${version} +- +unknown`))
    const status = await shell.tend('compose status -p old')
    assert.match(status.out, /web-1 +healthy/)
    assert.match(status.out, /nothing is kept of what was applied/)
    assert.match(status.out, /^\S+ [0-9a-f]{12} {3}unknown {3}last run, /)
    assert.match(
      status.out,
      /its marker says of the last run: succeeded, of everything wanted [0-9a-f]{12}/,
    )
    assert.match((await shell.tend('status old')).out, /db-1 +healthy/)
    const logs = await shell.tend('compose logs -p old web')
    assert.equal(logs.code, 0, logs.err)
    const again = await shell.tend('up -f old/compose.yaml')
    assert.match(again.out, /0 created, 0 updated, 0 deleted/)
    const down = await shell.tend('down -p old --volumes --yes')
    assert.equal(down.code, 0, down.out)
    assert.equal(theirs('ps', '-aq'), '')
    assert.match((await shell.tend('list')).out, /No charts are installed/)
  })
})
