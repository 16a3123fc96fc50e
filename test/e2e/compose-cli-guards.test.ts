/** What a stack must never do behind a user's back: take another folder's stack over, lose data or tell secrets without a word. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { dockerAt } from '#clients/docker/client.ts'
import { inspectContainer } from '#clients/docker/containers.ts'
import { recordOf, textMapOf } from '#model/read-json.ts'
import { requiredDocker, startDocker, type TestDocker } from '../testbed/docker.ts'
import { busybox } from '../testbed/image.ts'
import { tendOn, type Tend } from '../testbed/tend.ts'

const skip = requiredDocker()
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

const quick = `image: ${busybox}, command: [/bin/sleep, "1000"], stop_grace_period: 0s`

test('two folders of one name do not take each other over', { skip }, async () => {
  shell.write({
    'x1/app/compose.yaml': `services: { one: { ${quick} } }\n`,
    'x2/app/compose.yaml': `services: { two: { ${quick} } }\n`,
  })
  const first = await shell.tend('up -f x1/app/compose.yaml')
  assert.equal(first.code, 0, first.out + first.err)
  for (const line of ['up', 'compose plan', 'down']) {
    const { code, out, err } = await shell.tend(`${line} -f x2/app/compose.yaml`)
    assert.equal(code, 2, out + err)
    assert.match(err, /app was applied from .*x1\/app, and this is .*x2\/app/)
    assert.match(err, /-p NAME.*-p app -f x2\/app\/compose\.yaml/)
  }
  renameSync(join(shell.folder, 'x1'), join(shell.folder, 'x3'))
  const moved = await shell.tend('compose plan -f x3/app/compose.yaml')
  assert.match(moved.out, /Nothing to change|unchanged/, moved.out + moved.err)
  renameSync(join(shell.folder, 'x3'), join(shell.folder, 'x1'))
  const meant = await shell.tend('up -p app -f x2/app/compose.yaml')
  assert.equal(meant.code, 0, meant.out + meant.err)
  assert.match(meant.out, /✓ one-1 +deleted/)
  const gone = await shell.tend('down -f x2/app/compose.yaml')
  assert.equal(gone.code, 0, gone.out + gone.err)
})

test('that a volume loses its data is said before it does', { skip }, async () => {
  const yaml = (mode: string) => ({
    'vol/compose.yaml': `
services: { db: { ${quick}, volumes: ["data:/data"] } }
volumes: { data: { driver_opts: { type: tmpfs, device: tmpfs, o: mode=${mode} } } }
`,
  })
  shell.write(yaml('0700'))
  const file = '-f vol/compose.yaml'
  assert.equal((await shell.tend(`up ${file}`)).code, 0)
  shell.write(yaml('0750'))
  const plan = await shell.tend(`compose plan ${file} --recreate-volumes`)
  assert.match(plan.out, /Apply with: tend up -f vol\/compose\.yaml --recreate-volumes\n$/)
  const dry = await shell.tend(`up ${file} --recreate-volumes --dry-run`)
  assert.match(dry.out, /its data goes/)
  const done = await shell.tend(`up ${file} --recreate-volumes --yes`)
  assert.equal(done.code, 0, done.out + done.err)
  assert.match(done.out, /✓ db-1 +updated/)
  assert.equal((await shell.tend(`compose status ${file}`)).code, 0)
  await shell.tend(`down ${file} --volumes --yes`)
})

test(
  'the value of a secret variable is told nowhere, wherever the file puts it',
  { skip },
  async () => {
    const yaml = (word: string) => ({
      'told/compose.yaml': `
services:
  web:
    image: ${busybox}
    command: [/bin/sh, -c, "echo \${DB_PASSWORD} > /told; sleep 1000"]
    environment: { ADDRESS: "x\${DB_PASSWORD}y", WORD: ${word} }
    labels: { conn: "db?\${DB_PASSWORD}" }
    healthcheck: { test: [CMD-SHELL, "grep \${DB_PASSWORD} /told"], interval: 100ms }
    post_start: [{ command: [/bin/sh, -c, "echo \${DB_PASSWORD} > /after"] }]
    stop_grace_period: 0s
    volumes: ["data:/data"]
volumes: { data: { labels: { conn: "db?\${DB_PASSWORD}" } } }
`,
    })
    const files = '-f told/compose.yaml --env-file told/secret.env'
    const secret = 'hunter22'
    shell.write({ ...yaml('one'), 'told/secret.env': `DB_PASSWORD=${secret}\n` })
    const said: string[] = []
    const tell = async (line: string): Promise<void> => {
      const { code, out, err } = await shell.tend(line)
      assert.equal(code, 0, out + err)
      said.push(out, err)
    }
    await tell(`compose plan -v ${files}`)
    await tell(`up -v ${files}`)
    shell.write(yaml('two'))
    await tell(`compose plan -v ${files}`)
    await tell(`up -v ${files}`)
    shell.write({ 'told/secret.env': `DB_PASSWORD=${secret}33\n` })
    await tell(`compose plan -v ${files}`)
    assert.match(said.at(-2)!, /command: .*\*{6}/)
    shell.write({ 'told/secret.env': `DB_PASSWORD=${secret}\n` })
    await tell(`compose plan -v ${files}`)
    assert.match(said.at(-2)!, /Nothing to change/)
    await tell(`compose status -p told -o json`)
    await tell(`compose rollback -p told -v`)
    assert.ok(!said.join('').includes(secret), said.join(''))
    const client = dockerAt({ address: `unix://${docker.socket}` })
    const { signal } = new AbortController()
    const found = await inspectContainer(client, 'told-web-1', signal)
    const { Labels: labels } = recordOf(found?.['Config'])
    client.close()
    const { conn, ...others } = textMapOf(labels)
    assert.equal(conn, `db?${secret}`)
    assert.ok(!JSON.stringify(others).includes(secret), JSON.stringify(others))
    for (const name of readdirSync(join(shell.folder, 'home'))) {
      const path = join(shell.folder, 'home', name)
      if (statSync(path).isFile()) assert.ok(!readFileSync(path).includes(secret), name)
    }
    await tell('down -p told --volumes --yes')
  },
)

test(
  'what a profile started stays, and counts for nothing, without that profile',
  { skip },
  async () => {
    shell.write({
      'prof/compose.yaml': `services: { web: { ${quick} }, debug: { ${quick}, profiles: [debug] } }\n`,
    })
    const file = '-f prof/compose.yaml'
    assert.equal((await shell.tend(`up ${file} --profile debug`)).code, 0)
    const kept = await shell.tend(`up ${file}`)
    assert.match(kept.out, /~ debug-1 +kept: its profile is not active now/)
    const status = await shell.tend(`compose status ${file}`)
    assert.equal(status.code, 0, status.out)
    assert.match(status.out, /Kept: container debug-1, its profile is not active now/)
    const again = await shell.tend('reinit prof')
    assert.equal(again.code, 0, again.out + again.err)
    assert.doesNotMatch(again.out, /debug-1 +deleted/)
    assert.match((await shell.tend('down -p prof')).out, /✓ debug-1 +deleted/)
  },
)

test(
  'what a failed run never touched is neither said to need nor to be put back',
  { skip },
  async () => {
    // an image that is not to be had is found out before anything is taken away
    const yaml = (level: string, web: string) => ({
      'held/compose.yaml': `
services:
  web: { ${web}, depends_on: [db] }
  db: { ${quick}, environment: { LEVEL: ${level} }, volumes: ["data:/data"] }
volumes: { data: }
`,
    })
    const file = '-f held/compose.yaml'
    shell.write(yaml('one', quick))
    assert.equal((await shell.tend(`up ${file}`)).code, 0)
    shell.write(yaml('two', 'image: localhost/tend/none:1'))
    const { code, out } = await shell.tend(`up ${file}`)
    assert.equal(code, 1, out)
    assert.match(out, /✗ web-1 +failed/)
    assert.doesNotMatch(out, /needs web-1|db-1 +put back/)
    await shell.tend('down -p held --volumes --yes')
  },
)
