/** A stack's life as a user types it on Docker: up, again, edit, plan, break, roll back, logs, down. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, before, test } from 'node:test'
import { composeOracle } from '../testbed/compose-oracle.ts'
import { requiredDocker, startDocker, type TestDocker } from '../testbed/docker.ts'
import { busybox } from '../testbed/image.ts'
import { page } from '../testbed/page.ts'
import { freePort } from '../testbed/port.ts'
import { tendOn, type Tend } from '../testbed/tend.ts'

const skip = requiredDocker()
let docker: TestDocker
let shell: Tend
let port = 0

before(async () => {
  if (skip !== false) return
  docker = await startDocker()
  await docker.addImage()
  port = await freePort()
  shell = tendOn(docker.socket)
})
after(async () => {
  shell?.remove()
  await docker?.stop()
})

function compose(page: string, health = '/'): Readonly<Record<string, string>> {
  return {
    'shop/compose.yaml': `name: shop
services:
  web:
    image: ${busybox}
    command: ["/bin/sh", "-c", "cp /page /srv/index.html; echo serving; exec httpd -f -p 8000 -h /srv"]
    tmpfs: /srv
    ports: ["127.0.0.1:${port}:8000"]
    configs: [{source: page, target: /page}]
    secrets: [token]
    volumes: ["data:/data"]
    depends_on: {db: {condition: service_healthy}}
    healthcheck: {test: [CMD, wget, -q, -O, /dev/null, "http://127.0.0.1:8000${health}"], interval: 100ms, retries: 5}
    stop_grace_period: 0s
  db:
    image: ${busybox}
    command: [/bin/sleep, "100000"]
    healthcheck: {test: [CMD, "true"], interval: 100ms}
    stop_grace_period: 0s
volumes: {data: }
configs: {page: {content: "${page}"}}
secrets: {token: {file: token.txt}}
`,
    'shop/token.txt': 'hush-hush',
  }
}

test('the life of a stack', { skip, timeout: 180_000 }, async (t) => {
  const file = '-f shop/compose.yaml'
  shell.write(compose('one'))

  await t.test('up makes it, in the words of the charts', async () => {
    const { code, out, err } = await shell.tend(`up ${file}`)
    assert.equal(code, 0, out + err)
    assert.match(out, /^Bringing up stack: shop\/compose\.yaml\nStack name: shop\n/)
    assert.match(out, /\nNetworks:\n {2}✓ default +created\n\nVolumes:\n {2}✓ data +created\n\n/)
    assert.match(out, /\nContainers:\n {2}✓ web-1 +created\n {2}✓ db-1 +created\n/)
    assert.match(out, /\nStatus: Success\n$/)
    assert.equal(await page(port), 'one')
    assert.doesNotMatch(out + err, /hush/)
  })

  await t.test('again: nothing changes, and no run is recorded', async () => {
    const { out } = await shell.tend('compose -f shop/compose.yaml up')
    assert.match(out, /0 created, 0 updated, 0 deleted, 4 unchanged/)
    const runs = await shell.tend('compose history -p shop')
    assert.equal(runs.out.trimEnd().split('\n').length, 2)
  })

  await t.test('status and list know it', async () => {
    const { code, out } = await shell.tend(`compose status ${file}`)
    assert.equal(code, 0, out)
    assert.match(out, /^shop [0-9a-f]{12} {3}healthy {3}run 1, .*, from \.\/shop\/compose\.yaml\n/)
    assert.match(out, /✓ web-1 +healthy/)
    assert.match((await shell.tend('list')).out, /^NAME .*\nshop +- +[0-9a-f]{12} +1 +healthy/)
    const whole = await shell.tend('status shop -o json')
    const document: { [key: string]: unknown } = JSON.parse(whole.out)
    assert.equal(document['stack'], 'shop')
  })

  await t.test('a changed config changes the service that uses it, and only that', async () => {
    shell.write(compose('two'))
    const plan = await shell.tend(`compose plan ${file} --exit-code`)
    assert.equal(plan.code, 3)
    assert.match(plan.out, /~ web-1 +will be updated\n/)
    assert.doesNotMatch(plan.out, /db-1/)
    assert.match(plan.out, /Apply with: tend up -f shop\/compose\.yaml\n$/)
    const { code, out } = await shell.tend('up -p shop')
    assert.equal(code, 0, out)
    assert.match(out, /Resources: 0 created, 1 updated, 0 deleted/)
    assert.equal(await page(port), 'two')
  })

  await t.test('what does not get healthy goes back', async () => {
    shell.write(compose('three', '/none'))
    const { code, out } = await shell.tend(`up ${file} --timeout 20s`)
    assert.equal(code, 1)
    assert.match(out, /✗ web-1 +failed\n/)
    assert.match(out, /tend logs shop web-1 --run 3/)
    assert.match(out, /Rolled back: everything runs as after run 2/)
    const status = await shell.tend(`compose status ${file}`)
    assert.equal(status.code, 0, status.out)
    assert.match(status.out, /run 3 failed and was rolled back; in force is run 2/)
    assert.equal(await page(port), 'two')
    assert.match((await shell.tend(`compose logs web ${file} --run 3`)).out, /serving/)
  })

  await t.test('rollback applies what an earlier run applied', async () => {
    const { code, out } = await shell.tend(`compose rollback ${file}`)
    assert.equal(code, 0, out)
    assert.match(out, /^Rolling back stack: shop to run 1\n/)
    assert.equal(await page(port), 'one')
  })

  await t.test('logs of a service, by either verb', async () => {
    assert.equal((await shell.tend(`compose logs web --tail 1 ${file}`)).out, 'serving\n')
    assert.equal((await shell.tend('logs shop web-1 --tail 1')).out, 'serving\n')
    const wrong = await shell.tend('compose logs wep -p shop')
    assert.equal(wrong.code, 2)
    assert.match(wrong.err, /shop has no container named "wep"/)
  })

  await t.test("docker's own tools see the project", (context) => {
    const { path, skip: lacking } = composeOracle()
    if (lacking !== false) return context.skip(lacking)
    const env = { ...process.env, DOCKER_HOST: `unix://${docker.socket}` }
    const { stdout } = spawnSync(path, ['-p', 'shop', 'ps', '--services'], {
      env,
      encoding: 'utf8',
    })
    assert.deepEqual(stdout.trim().split('\n').toSorted(), ['db', 'web'])
  })

  await t.test('--scale makes more of one, and its absence fewer again', async () => {
    shell.write(compose('one'))
    const more = await shell.tend(`up ${file} --scale db=3`)
    assert.match(more.out, /✓ db-2 +created\n {2}✓ db-3 +created\n/)
    const fewer = await shell.tend(`up ${file}`)
    for (const name of ['db-2', 'db-3']) {
      assert.match(fewer.out, new RegExp(`✓ ${name} +deleted\n`))
    }
  })

  await t.test('down keeps the volumes, down --volumes takes them', async () => {
    const { code, out } = await shell.tend('down -p shop')
    assert.equal(code, 0, out)
    assert.match(out, /^Taking down stack: shop\nStack name: shop\n/)
    assert.match(out, /~ data +kept/)
    const gone = await shell.tend('compose status -p shop')
    assert.equal(gone.code, 2)
    assert.match(gone.err, /no stack named "shop" is installed/)
    await shell.tend(`up ${file}`)
    const all = await shell.tend('compose down -p shop --volumes --yes')
    assert.match(all.out, /✓ data +deleted/)
  })
})

test('a stack by hand is confined, and sees no environment', { skip }, async () => {
  shell.write({
    'closed/compose.yaml': `services:
  a:
    image: ${busybox}
    command: [/bin/sleep, "\${SECONDS_TO_SLEEP:-100000}"]
    volumes: ["/etc:/host:ro"]
    stop_grace_period: 0s
`,
  })
  const file = '-f closed/compose.yaml'
  const closed = await shell.tend(`compose plan ${file}`)
  assert.equal(closed.code, 2)
  assert.match(
    closed.out,
    /✗ closed\/compose\.yaml:5:\d+ "\/etc" is outside .*\n +Suggestion: .*--allow-outside/,
  )
  assert.match(closed.out, /Nothing was changed\.\n$/)
  const opened = await shell.tend(`up ${file} --allow-outside --use-env`, {
    SECONDS_TO_SLEEP: '99',
  })
  assert.equal(opened.code, 0, opened.out + opened.err)
  const again = await shell.tend('up -p closed')
  assert.match(again.out, /0 created, 0 updated, 0 deleted/, 'the variables of then are used again')
  const plain = await shell.tend(`compose plan ${file} --allow-outside`)
  assert.match(plain.out, /~ a-1 +will be updated\n +- command.*99.*100000/)
  await shell.tend('down -p closed')
})

test('what is wrong with a file is told at once, Docker or not', { skip }, async () => {
  shell.write({
    'bad/compose.yaml': 'services:\n  a: {imagee: x}\n  b: {image: y, restart: [z]}\n',
  })
  const { code, out } = await shell.tend('up -f bad/compose.yaml', {
    DOCKER_HOST: 'unix:///nowhere',
  })
  assert.equal(code, 2)
  assert.match(out, /✗ bad\/compose\.yaml:2:\d+ .*imagee/)
  assert.match(out, /✗ bad\/compose\.yaml:3:\d+ /)
  assert.match(out, /Nothing was changed\.\n$/)
})
