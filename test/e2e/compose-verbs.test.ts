/** The verbs that people know from docker compose say and do what docker compose does. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { bothEngines } from '../testbed/both-engines.ts'
import { composeOracle } from '../testbed/compose-oracle.ts'
import { busybox } from '../testbed/image.ts'
import { freePort } from '../testbed/port.ts'
import { waitFor } from '../testbed/serving.ts'
import { tendOn } from '../testbed/tend.ts'

const oracle = composeOracle()

function text(port: number): string {
  return `name: shop
services:
  web:
    image: ${busybox}
    command: sh -c "while sleep 1000; do :; done"
    stop_grace_period: 0s
    ports: ["127.0.0.1:${port}:80"]
    depends_on: [db]
  db: { image: ${busybox}, command: sleep 1000, stop_grace_period: 0s, scale: 2 }
  job: { image: ${busybox}, command: "true" }
`
}

const watched = `name: dev
services:
  web:
    image: ${busybox}
    command: sleep 1000
    stop_grace_period: 0s
    develop:
      watch:
        - { path: src, action: sync, target: /app, ignore: [skipped/], initial_sync: true }
        - path: conf
          action: sync+exec
          target: /tmp/conf
          exec: { command: [cp, /tmp/conf, /tmp/told] }
  conf:
    image: ${busybox}
    command: sh -c "sleep $$(( 1000 + $$RANDOM ))"
    stop_grace_period: 0s
    develop: { watch: [{ path: conf, action: sync+restart, target: /etc/conf }] }
  image:
    build: image
    command: sleep 1000
    stop_grace_period: 0s
    develop: { watch: [{ path: image, action: rebuild }] }
`

/** Times go on between two looks, and columns with them. */
function timeless(out: string): string {
  return out
    .replaceAll(/(Less than a second|About an? \w+|\d+ (seconds?|minutes?))/g, 'TIME')
    .replaceAll(/ +/g, ' ')
    .trim()
}

for (const [name, lacking, start] of bothEngines) {
  test(`verbs of docker compose on ${name}`, { skip: lacking || oracle.skip }, async (t) => {
    const engine = await start()
    const shell = tendOn(engine.socket)
    t.after(async () => {
      shell.remove()
      await engine.stop()
    })
    const theirs = (line: string) =>
      spawnSync(oracle.path, ['-f', 'shop/compose.yaml', ...line.split(' ')], {
        cwd: shell.folder,
        env: { ...process.env, DOCKER_HOST: `unix://${engine.socket}` },
        encoding: 'utf8',
      })
    const ours = (line: string) => shell.tend(`compose ${line} -f shop/compose.yaml`)
    shell.write({ 'shop/compose.yaml': text(await freePort()) })
    const up = await shell.tend('up -f shop/compose.yaml')
    assert.equal(up.code, 0, up.out + up.err)

    await t.test('what they list is listed alike', async () => {
      const listings = 'ps,ps -a,ps -q,ps --services,ps --status exited,ps web,ps -aq db'
      const others = 'images,images -q,images db,top,top db'
      const lines = `${listings},${others}`.split(',')
      for (const line of lines) {
        const [own, other] = [await ours(line), theirs(line)]
        assert.equal(own.code, 0, `${line}: ${own.err}`)
        assert.equal(timeless(own.out), timeless(other.stdout), line)
      }
      const parsed = (out: string) =>
        out
          .trim()
          .split('\n')
          .map((row) => ({ ...JSON.parse(timeless(row)), Labels: '' }))
      const line = 'ps -a --format json'
      assert.deepEqual(parsed((await ours(line)).out), parsed(theirs(line).stdout))
    })

    await t.test('columns stand where theirs do', async () => {
      const [own, other] = [await ours('ps --status nothing'), theirs('ps --status dead')]
      assert.equal(own.out.trimEnd(), other.stdout.trimEnd())
      const [head = ''] = (await ours('images')).out.split('\n')
      assert.equal(head, theirs('images').stdout.split('\n')[0])
    })

    await t.test('exec: streams, input, exit code, which container', async () => {
      const told = await shell.tend(
        'compose -f shop/compose.yaml exec -T db sh -c echo${IFS}hi;exit${IFS}3',
      )
      assert.deepEqual([told.code, told.out], [3, 'hi\n'])
      const flags = 'exec -T --index 2 -e A=b -w /tmp -u 1000 db'
      const inside = await shell.tend(
        `compose -f shop/compose.yaml ${flags} sh -c echo\${IFS}$A;pwd;id\${IFS}-u;hostname`,
      )
      const id = (await ours('ps -q --no-trunc db')).out.trim().split('\n')[1] ?? ''
      assert.equal(inside.out, `b\n/tmp\n1000\n${id.slice(0, 12)}\n`)
      const child = spawn(
        resolve('bin/tend'),
        ['compose', '-f', 'shop/compose.yaml', 'exec', '-T', 'web', 'cat'],
        {
          cwd: shell.folder,
          env: {
            ...process.env,
            TEND_HOME: `${shell.folder}/home`,
            CONTAINER_HOST: `unix://${engine.socket}`,
          },
        },
      )
      let out = ''
      child.stdout.setEncoding('utf8').on('data', (part: string) => (out += part))
      child.stdin.end('what goes in\n')
      await new Promise((done) => child.on('close', done))
      assert.equal(out, 'what goes in\n')
      const nobody = await shell.tend('compose -f shop/compose.yaml exec job true')
      assert.deepEqual([nobody.code, theirs('exec job true').status], [1, 1])
      assert.match(nobody.err, /service "job" is not running/)
    })

    await t.test('run: a container of its own, which ends as its command does', async () => {
      const line = 'run --rm -T -e A=b -w /tmp db sh -c echo${IFS}$A;pwd;exit${IFS}4'
      const told = await shell.tend(`compose -f shop/compose.yaml ${line}`)
      assert.deepEqual([told.code, told.out], [4, 'b\n/tmp\n'], told.err)
      assert.equal(theirs('ps -aq --filter status=exited db').stdout, '')
      const named = await shell.tend(
        'compose -f shop/compose.yaml run -d --name once db sleep 1000',
      )
      assert.equal(named.code, 0, named.err)
      assert.match(theirs('ps -a').stdout, /^once +/m)
      assert.doesNotMatch(theirs('ps -a').stdout, /-run-/)
      const plan = await shell.tend('compose plan -f shop/compose.yaml --exit-code')
      assert.equal(plan.code, 0, 'it is no part of the stack')
      spawnSync('docker', ['-H', `unix://${engine.socket}`, 'rm', '-f', 'once'])
    })

    await t.test('stop, start and restart, in the order of what depends on what', async () => {
      const stopped = await ours('stop')
      assert.equal(stopped.code, 0, stopped.err)
      assert.ok(
        stopped.err.indexOf('shop-web-1 Stopped') < stopped.err.indexOf('shop-db-1 Stopping'),
        stopped.err,
      )
      assert.equal(theirs('ps -q').stdout, '')
      const started = await ours('start db web')
      assert.ok(
        started.err.indexOf('shop-db-2 Started') < started.err.indexOf('shop-web-1 Starting'),
        started.err,
      )
      assert.equal(theirs('ps --services').stdout.trim(), 'db\nweb')
      assert.equal((await ours('restart -t 0 web')).code, 0)
      const wrong = await ours('stop wbe')
      assert.equal(wrong.code, 2)
      assert.match(wrong.err, /no such service: wbe[^]*did you mean web/)
      const plan = await shell.tend('compose plan -f shop/compose.yaml --exit-code')
      assert.equal(plan.code, 0, plan.out)
    })

    await t.test(
      'watch: copies, removes, restarts, runs and rebuilds as files change',
      async (own) => {
        shell.write({
          'dev/compose.yaml': watched,
          'dev/src/a.txt': 'one',
          'dev/src/skipped/b.txt': 'one',
          'dev/conf': 'one',
          'dev/image/Dockerfile': `FROM ${busybox}\nCOPY made /made\n`,
          'dev/image/made': 'one',
        })
        const inside = async (service: string, command: string): Promise<string> => {
          const line = `compose -f dev/compose.yaml exec -T ${service} sh -c ${command.replaceAll(' ', '${IFS}')}`
          return (await shell.tend(line)).out.trim()
        }
        const going = shell.start('compose watch -f dev/compose.yaml')
        own.after(() => going.child.kill('SIGKILL'))
        let said = ''
        going.child.stderr?.on('data', (part: string) => (said += part))
        const heard = (words: string): Promise<void> => waitFor(() => said.includes(words))
        await heard('Watch enabled')
        assert.equal(await inside('web', 'cat /app/a.txt'), 'one', 'initial_sync')

        shell.write({
          'dev/src/a.txt': 'two',
          'dev/src/new/deep/c.txt': 'c',
          'dev/src/skipped/b.txt': 'x',
        })
        await waitFor(async () => (await inside('web', 'cat /app/new/deep/c.txt')) === 'c')
        assert.equal(await inside('web', 'cat /app/a.txt'), 'two')
        assert.equal(await inside('web', 'ls /app'), 'a.txt\nnew')
        rmSync(join(shell.folder, 'dev/src/new'), { recursive: true })
        await waitFor(async () => (await inside('web', 'ls /app')) === 'a.txt')

        const started = await inside('conf', 'cat /proc/1/stat')
        shell.write({ 'dev/conf': 'two' })
        await heard('service "conf" restarted')
        assert.notEqual(await inside('conf', 'cat /proc/1/stat'), started)
        assert.equal(await inside('conf', 'cat /etc/conf'), 'two')
        assert.equal(await inside('web', 'cat /tmp/told'), 'two', 'sync+exec runs its command')

        const before = await listed('ps -q --no-trunc web conf')
        shell.write({ 'dev/image/made': 'two' })
        await heard('service "image" rebuilt')
        assert.equal(await inside('image', 'cat /made'), 'two')
        assert.equal(
          await listed('ps -q --no-trunc web conf'),
          before,
          'nothing else was made anew',
        )
        going.child.kill('SIGINT')
        assert.equal((await going.told).code, 0)
        await shell.tend('down -f dev/compose.yaml')

        async function listed(line: string): Promise<string> {
          return (await shell.tend(`compose ${line} -f dev/compose.yaml`)).out
        }
      },
    )

    await t.test('what docker compose made is listed, and left to it', async () => {
      await shell.tend('down -f shop/compose.yaml')
      theirs('up -d')
      assert.equal(timeless((await ours('ps -a')).out), timeless(theirs('ps -a').stdout))
      const refused = await ours('stop')
      assert.equal(refused.code, 1)
      assert.match(refused.err, /was not made by Tend[^]*docker compose -p shop/)
      theirs('down -t 0')
    })
  })
}
