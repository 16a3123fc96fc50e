/** Repositories that try to reach the host through links that their own containers plant, on real Docker and real Podman. */
import assert from 'node:assert/strict'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { bindFilesIn } from '#sources/bind-files.ts'
import { denyAll } from '#model/policy.ts'
import type { AppStatus } from '#model/service.ts'
import { directoryRepository } from '#sources/directory-repository.ts'
import { fakeRepository } from '../fake/repository.ts'
import { bothEngines } from '../testbed/both-engines.ts'
import { busybox } from '../testbed/image.ts'
import { serve, stackOf, type Served, type ServeOptions } from '../testbed/serve.ts'

/** One service of a Compose file that runs a shell script. */
function service(script: string, volumes: readonly string[], more = ''): string {
  return `
    image: ${busybox}
    command: [sh, -c, ${JSON.stringify(script)}]
    stop_grace_period: 0s
    volumes: ${JSON.stringify(volumes)}${more}
`
}

function isOver({ state }: AppStatus): boolean {
  return state === 'failed' || state === 'synced'
}

const attacks = 'cat /x/secret; echo taken > /x/written; sleep 1000'

for (const [name, skip, start] of bothEngines) {
  void test(`planted links on ${name}`, { skip, timeout: 300_000 }, async (t) => {
    const engine = await start()
    t.after(() => engine.stop())
    const target = `unix://${engine.socket}`
    const canary = mkdtempSync(join(engine.root, 'canary-'))
    writeFileSync(join(canary, 'secret'), 'of the host')
    const plants = `rm -rf /data/sub; ln -s ${canary} /data/sub; sleep 1000`
    let count = 0
    const folder = (): string => mkdtempSync(join(engine.root, 'service-'))

    function served(own: TestContext, options: Omit<ServeOptions, 'folder'>): Served {
      const one = serve({ folder: folder(), instance: `test-${(count += 1)}`, ...options })
      own.after(() => one.stop())
      return one
    }

    function untouched(): void {
      assert.deepEqual(readdirSync(canary), ['secret'])
    }

    await t.test('a folder inside one that another service writes is refused', async (own) => {
      const repo = fakeRepository(folder())
      repo.commit({
        'nested/compose.yaml': `services:
  a:${service(plants, ['./data:/data'])}
  b:${service(attacks, ['./data/sub:/x'], '\n    depends_on: [a]')}`,
        'nested/data/sub/ok': '',
      })
      const app = stackOf('nested', target, { policy: { security: denyAll } })
      const one = served(own, { repo, declarations: { apps: [app] } })
      await one.start()
      const { reason } = await one.until('stack:nested', isOver)
      untouched()
      assert.match(
        reason,
        /b: nested\/data\/sub lies in nested\/data, which a may write \(nested\/compose.yaml:\d+\)/,
      )
    })

    await t.test('a link that an earlier commit planted is not followed', async (own) => {
      const repo = fakeRepository(folder())
      const files = { 'later/data/sub/ok': '' }
      repo.commit({
        'later/compose.yaml': `services:\n  a:${service(plants, ['./data:/data'])}`,
        ...files,
      })
      const app = stackOf('later', target, { policy: { security: denyAll } })
      const one = served(own, { repo, declarations: { apps: [app] } })
      await one.start()
      await one.until('stack:later', ({ state }) => state === 'synced')
      repo.commit(
        {
          'later/compose.yaml': `services:\n  b:${service(attacks, ['./data/sub:/x'])}`,
          ...files,
        },
        'two',
      )
      one.refresh()
      const { reason } = await one.until(
        'stack:later',
        ({ state, desired }) => state === 'failed' && desired?.message === 'two',
      )
      untouched()
      assert.match(reason, /link|may write/)
    })

    await t.test('a directory that is followed: the same, where its files lie', async (own) => {
      const home = folder()
      const put = (text: string): void => {
        mkdirSync(join(home, 'data/sub'), { recursive: true })
        writeFileSync(join(home, 'compose.yaml'), text)
      }
      put(`services:\n  a:${service(plants, ['./data:/data'])}`)
      const app = stackOf('inplace', target, {
        path: '',
        source: { kind: 'directory', path: home },
        policy: { security: denyAll },
      })
      const one = served(own, {
        repo: directoryRepository({ path: home, cache: folder() }),
        declarations: { apps: [app] },
      })
      await one.start()
      await one.until('stack:inplace', ({ state }) => state === 'synced')
      assert.ok(existsSync(join(home, 'data')))
      writeFileSync(
        join(home, 'compose.yaml'),
        `services:\n  b:${service(attacks, ['./data/sub:/x'])}`,
      )
      one.refresh()
      const { reason } = await one.until('stack:inplace', ({ state }) => state === 'failed')
      untouched()
      assert.match(reason, /link|may write/)
    })

    await t.test(
      'a folder that the operator allowed, which another application writes',
      async (own) => {
        const allowed = mkdtempSync(join(engine.root, 'allowed-'))
        mkdirSync(join(allowed, 'data/sub'), { recursive: true })
        const security = { ...denyAll, allowedRoots: [allowed] }
        const repo = fakeRepository(folder())
        repo.commit({
          'writer/compose.yaml': `services:\n  a:${service(plants, [`${allowed}/data:/data`])}`,
        })
        const writer = stackOf('writer', target, { policy: { security } })
        const reader = stackOf('reader', target, {
          policy: { security, dependsOn: ['stack:writer'] },
        })
        const one = served(own, { repo, declarations: { apps: [writer, reader] } })
        await one.start()
        await one.until('stack:writer', ({ state }) => state === 'synced')
        repo.commit({
          'writer/compose.yaml': `services:\n  a:${service(plants, [`${allowed}/data:/data`])}`,
          'reader/compose.yaml': `services:\n  b:${service(attacks, [`${allowed}/data/sub:/x`])}`,
        })
        one.refresh()
        const { reason } = await one.until(
          'stack:reader',
          (status) => isOver(status) && !/no stack/.test(status.reason),
        )
        untouched()
        assert.match(reason, /link|may write/)
        // whoever made the link: what is started again because somebody asks is looked at as in a run
        renameSync(join(allowed, 'data'), join(allowed, 'away'))
        symlinkSync(canary, join(allowed, 'data'))
        await assert.rejects(one.restart('stack:writer', undefined), /where a link leads to/)
        untouched()
      },
    )

    await t.test('a link that was left behind when nobody writes there any more', async (own) => {
      const repo = fakeRepository(folder())
      const filesWith = (services: string): Readonly<Record<string, string>> => ({
        'left/compose.yaml': `services:\n${services}`,
        'left/data/sub/ok': '',
      })
      const calm = `  calm:${service('sleep 1000', [])}`
      const app = stackOf('left', target, { policy: { security: denyAll, prune: true } })
      const one = served(own, { repo, declarations: { apps: [app] } })
      const synced = (message: string): Promise<AppStatus> =>
        one.until('stack:left', (now) => now.state === 'synced' && now.synced?.message === message)
      repo.commit(filesWith(`  a:${service(plants, ['./data:/data'])}`), 'one')
      await one.start()
      await synced('one')
      repo.commit(filesWith(calm), 'two')
      one.refresh()
      await synced('two')
      repo.commit(filesWith(`${calm}  b:${service(attacks, ['./data/sub:/x'])}`), 'three')
      one.refresh()
      const { reason } = await one.until('stack:left', ({ state }) => state === 'failed')
      untouched()
      assert.match(reason, /a link or a file stands where a folder|where a link leads/)
    })

    await t.test(
      'what is only read below what is written is mounted as it was committed',
      async (own) => {
        const repo = fakeRepository(folder())
        repo.commit({
          'usual/compose.yaml': `services:
  web:${service('echo spoilt > /app/conf/site; sleep 1000', ['.:/app'])}
  front:${service('grep committed /etc/conf/site && sleep 1000', ['./conf:/etc/conf:ro'], '\n    depends_on: [web]')}`,
          'usual/conf/site': 'as committed',
        })
        const app = stackOf('usual', target, { policy: { security: denyAll } })
        const one = served(own, { repo, declarations: { apps: [app] } })
        await one.start()
        const { state, reason } = await one.until('stack:usual', isOver)
        assert.equal(state, 'synced', reason)
      },
    )

    await t.test('volumes in disguise and logs that are files of the host', async (own) => {
      const volume = (options: string): string =>
        `services:\n  a:${service('sleep 1000', ['vol:/v'])}volumes: { vol: { ${options} } }\n`
      const disguises: Readonly<Record<string, string>> = {
        label: volume('driver_opts: { device: "LABEL=root" }'),
        moved: volume(`driver_opts: { o: move, device: "${canary.slice(1)}" }`),
        bound: volume(`driver_opts: { type: none, o: bind, device: "${canary}" }`),
        nfs: volume('driver_opts: { type: nfs, o: "addr=127.0.0.1", device: ":/" }'),
        plugin: volume('driver: example/plugin'),
        log: `services:\n  a:${service('echo x', [], `\n    logging: { driver: k8s-file, options: { path: ${canary}/log } }`)}`,
      }
      const repo = fakeRepository(folder())
      const files = Object.entries(disguises)
      repo.commit(Object.fromEntries(files.map(([key, text]) => [`${key}/compose.yaml`, text])))
      const policy = { security: denyAll }
      const apps = files.map(([key]) => stackOf(key, target, { policy }))
      const one = served(own, { repo, declarations: { apps } })
      await one.start()
      for (const [key] of files) {
        const { state, reason } = await one.until(`stack:${key}`, isOver)
        assert.equal(state, 'failed', key)
        assert.match(reason, new RegExp(`${key}/compose.yaml:\\d+:\\d+: a: .* is denied`))
      }
      untouched()
    })

    await t.test('a rollback to what was right in its time is looked at too', async (own) => {
      const repo = fakeRepository(folder())
      const app = stackOf('back', target, { policy: { security: denyAll, prune: true } })
      const one = served(own, { repo, declarations: { apps: [app] } })
      async function synced(message: string, services: string): Promise<void> {
        const text = `services:\n  calm:${service('sleep 1000', [])}${services}`
        repo.commit({ 'back/compose.yaml': text, 'back/data/sub/ok': '' }, message)
        one.refresh()
        await one.until('stack:back', (now) => now.synced?.message === message)
      }
      repo.commit({ 'back/compose.yaml': `services:\n  calm:${service('sleep 1000', [])}` })
      await one.start()
      await synced('one', `  b:${service(attacks, ['./data/sub:/x'])}`)
      const { lastRun } = one.app('stack:back')
      await synced('two', '')
      await synced('three', `  a:${service(plants, ['./data:/data'])}`)
      await synced('four', '')
      const { outcome, status } = await one.rollback('stack:back', lastRun?.number)
      assert.equal(outcome, 'failed')
      assert.match(status.lastRun?.problem?.message ?? '', /where a link leads/)
      untouched()
    })

    await t.test(
      'the root of a mount is not replaced from inside, also over restarts by the engine',
      async (own) => {
        const tries = `[ -e /data/secret ] && echo taken > /data/written; echo x >> /data/starts
rm -rf /data; mv /data /away; rmdir /data; ln -sfn ${canary} /data; exit 1`
        const repo = fakeRepository(folder())
        repo.commit({
          'busy/compose.yaml':
            `services:\n  a:${service(tries, ['./data:/data', './count:/count'], '\n    restart: always')}`.replace(
              '/data/starts',
              '/count/starts',
            ),
        })
        const app = stackOf('busy', target, { policy: { security: denyAll, timeout: 3_000 } })
        const files = folder()
        const one = served(own, {
          repo,
          declarations: { apps: [app] },
          bindFiles: bindFilesIn(files),
        })
        await one.start()
        const starts = join(files, 'app-stack-busy/busy/count/starts')
        while (!existsSync(starts) || readFileSync(starts, 'utf8').length < 6) {
          await setTimeout(50)
        }
        untouched()
        assert.ok(lstatSync(join(files, 'app-stack-busy/busy/data')).isDirectory())
      },
    )
  })
}
