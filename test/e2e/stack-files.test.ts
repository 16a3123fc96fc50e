/** Configs, secrets, mounted files and volumes: a change reaches those who use it, and only them. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { listVolumes } from '#clients/docker/volumes.ts'
import { busybox } from '../testbed/image.ts'
import { onBothEngines, succeeded } from './stack-bench.ts'

const quick = `image: ${busybox}\n    command: sleep 1000\n    stop_grace_period: 0s`
const { signal } = new AbortController()

onBothEngines(async ({ engineName, t, proxy, stack }) => {
  await t.test('configs and secrets from content, file and environment', async (own) => {
    const driver = stack(own, 'files')
    const yaml = (content: string) => `
services:
  web:
    ${quick}
    configs: [inline, { source: kept, target: /etc/kept.conf, mode: 0440, uid: "7", gid: "8" }]
    secrets: [token, { source: password, target: db-password }]
  db:
    ${quick}
    secrets: [password]
  plain:
    ${quick}
configs:
  inline: { content: "${content}" }
  kept: { file: ./kept.conf }
secrets:
  token: { environment: TOKEN }
  password: { file: ./password.txt }
`
    driver.write({ 'kept.conf': 'kept 1\n', 'password.txt': 'pass 1\n' })
    const load = { environment: { TOKEN: 'tok3n' } }
    const first = succeeded(await driver.up(yaml('one'), { load }))
    assert.ok(!JSON.stringify(first.events).includes('tok3n'))
    assert.ok(!JSON.stringify(first.events).includes('pass 1'))
    const web = async (path: string) => driver.inside('files-web-1', 'cat', path)
    assert.equal(await web('/inline'), 'one')
    assert.equal(await web('/etc/kept.conf'), 'kept 1')
    assert.equal(await web('/run/secrets/token'), 'tok3n')
    assert.equal(await web('/run/secrets/db-password'), 'pass 1')
    assert.equal(
      await driver.inside('files-web-1', 'stat', '-c', '%a %u %g', '/etc/kept.conf'),
      '440 7 8',
    )
    const labels = JSON.stringify((await driver.containers()).map((each) => each.labels))
    assert.ok(!labels.includes('tok3n') && !labels.includes('pass 1'), labels)

    proxy.reset()
    succeeded(await driver.up(yaml('one'), { load }))
    assert.deepEqual(proxy.writes(), [])

    const before = await driver.ids()
    const inline = succeeded(await driver.up(yaml('two'), { load }))
    assert.match(inline.text, /replace container\/web-1: files\[\/inline\].content changed/)
    assert.equal(await web('/inline'), 'two')
    const second = await driver.ids()
    assert.equal(second['files-db-1'], before['files-db-1'])

    driver.write({ 'password.txt': 'pass 2\n' })
    succeeded(await driver.up(yaml('two'), { load }))
    const third = await driver.ids()
    assert.notEqual(third['files-db-1'], before['files-db-1'])
    assert.notEqual(third['files-web-1'], second['files-web-1'])
    assert.equal(third['files-plain-1'], before['files-plain-1'])
    assert.equal(await driver.inside('files-db-1', 'cat', '/run/secrets/password'), 'pass 2')
  })

  await t.test(
    'a mounted file of the repository counts; what a container writes does not',
    async (own) => {
      const driver = stack(own, 'binds')
      const yaml = `
services:
  web:
    ${quick}
    volumes: ["./site.conf:/site.conf:ro", "./state.txt:/state.txt", "./made:/made"]
  db:
    ${quick}
`
      driver.write({ 'site.conf': 'one\n', 'state.txt': 'a\n' })
      succeeded(await driver.up(yaml))
      const before = await driver.ids()
      await driver.inside('binds-web-1', 'sh', '-c', 'echo b > /state.txt; touch /made/there')
      proxy.reset()
      succeeded(await driver.up(yaml))
      assert.deepEqual(proxy.writes(), [])
      driver.write({ 'site.conf': 'two\n' })
      const run = succeeded(await driver.up(yaml))
      assert.match(run.text, /contents.\/site.conf/)
      const after = await driver.ids()
      assert.notEqual(after['binds-web-1'], before['binds-web-1'])
      assert.equal(after['binds-db-1'], before['binds-db-1'])
      assert.equal(await driver.inside('binds-web-1', 'cat', '/site.conf'), 'two')
      driver.write({ 'state.txt': 'c\n' })
      const input = { isRepositoryFile: (path: string) => path.endsWith('/state.txt') }
      const counted = succeeded(await driver.up(yaml, { input }))
      assert.equal(counted.end.summary.updated, 1)
    },
  )

  await t.test(
    'volumes: kept data, refused changes, explicit recreation, anonymous ones inherited',
    async (own) => {
      const driver = stack(own, 'data')
      const yaml = (option: string, level: string) => `
services:
  db:
    ${quick}
    environment: { LEVEL: ${level} }
    volumes: ["data:/data", "/scratch"]
volumes:
  data: { driver_opts: { type: tmpfs, device: tmpfs, o: ${option} } }
`
      succeeded(await driver.up(yaml('mode=0700', 'one')))
      await driver.inside('data-db-1', 'sh', '-c', 'echo kept > /scratch/file')
      const replaced = succeeded(await driver.up(yaml('mode=0700', 'two')))
      assert.match(replaced.text, /stop/)
      assert.equal(await driver.inside('data-db-1', 'cat', '/scratch/file'), 'kept')
      const refused = await driver.up(yaml('mode=0755', 'two'))
      assert.equal(refused.end.outcome, 'failed')
      assert.match(refused.plan?.skipped[0]?.problem.message ?? '', /volume data can't be changed/)
      succeeded(await driver.up(yaml('mode=0755', 'two'), { options: { recreateVolumes: true } }))
      const options = async () =>
        (await listVolumes(driver.docker, [], signal)).find(({ name }) => name === 'data_data')
          ?.options
      assert.equal((await options())?.['o'], 'mode=0755')
      succeeded(await driver.down())
      assert.notEqual(await options(), undefined)
    },
  )

  await t.test(
    'a recreated volume has its users made anew, also through volumes_from',
    async (own) => {
      const driver = stack(own, 'anew')
      const yaml = (mode: string, level = 'one') => `
services:
  db:
    ${quick}
    environment: { LEVEL: ${level} }
    volumes: ["data:/data"]
  side:
    ${quick}
    volumes_from: [db]
  other:
    ${quick}
volumes:
  data: { driver_opts: { type: tmpfs, device: tmpfs, o: mode=${mode} } }
`
      const recreate = { options: { recreateVolumes: true } }
      succeeded(await driver.up(yaml('0700')))
      const first = await driver.ids()
      const anew = succeeded(await driver.up(yaml('0750'), recreate))
      assert.match(anew.text, /replace container\/db-1: volume\/data is replaced/)
      const second = await driver.ids()
      assert.deepEqual(Object.keys(second).toSorted(), Object.keys(first).toSorted())
      assert.notEqual(second['anew-db-1'], first['anew-db-1'])
      assert.equal(second['anew-other-1'], first['anew-other-1'])
      succeeded(await driver.up(yaml('0755', 'two'), recreate))
      assert.equal(await driver.inside('anew-db-1', 'sh', '-c', 'echo $LEVEL'), 'two')
      proxy.reset()
      succeeded(await driver.up(yaml('0755', 'two')))
      assert.deepEqual(proxy.writes(), [])

      const third = await driver.ids()
      const refused = await driver.up(yaml('0755', 'two').replace('type: tmpfs,', 'nonsense: x,'), {
        options: { recreateVolumes: true },
      })
      if (engineName === 'Docker') {
        assert.equal(refused.end.outcome, 'failed')
        assert.deepEqual(await driver.ids(), third)
      }

      proxy.plan(({ method, path }) =>
        method === 'POST' && path.includes('/containers/create') ? 'refuse' : 'pass',
      )
      const failed = await driver.up(yaml('0711', 'three'), recreate)
      proxy.plan(() => 'pass')
      assert.equal(failed.end.outcome, 'failed')
      assert.equal(failed.end.isRolledBack, false)
      const told = failed.problems.map(({ message }) => message).join('\n')
      assert.match(told, /can't be put back: its data went with --recreate-volumes/)
      succeeded(await driver.up(yaml('0711', 'three')))
      assert.equal(await driver.inside('anew-db-1', 'sh', '-c', 'echo $LEVEL'), 'three')
    },
  )

  await t.test(
    'a read-only service has its files mounted; what only newer engines do is told',
    async (own) => {
      const driver = stack(own, 'sealed')
      const yaml = (more: string) => `
services:
  web:
    ${quick}
    read_only: true
    configs: [{ source: site, target: /etc/site.conf }]
    ${more}
configs: { site: { file: ./site.conf } }
`
      driver.write({ 'site.conf': 'one\n' })
      succeeded(await driver.up(yaml('')))
      assert.equal(await driver.inside('sealed-web-1', 'cat', '/etc/site.conf'), 'one')
      driver.write({ 'site.conf': 'two\n' })
      succeeded(await driver.up(yaml('')))
      assert.equal(await driver.inside('sealed-web-1', 'cat', '/etc/site.conf'), 'two')
      proxy.reset()
      const check = 'healthcheck: { test: "true", start_period: 1s, start_interval: 1s }'
      const refused = await driver.up(yaml(check))
      assert.equal(refused.end.outcome, 'failed')
      assert.match(
        JSON.stringify(refused.plan?.skipped),
        /healthcheck.start_interval needs version 1.44/,
      )
      assert.deepEqual(proxy.writes(), [])
    },
  )

  await t.test(
    'what Podman would pass over in silence is told before anything is touched',
    async (own) => {
      const driver = stack(own, 'passed')
      for (const [key, text] of [
        ['external_links', 'external_links: ["other:o"]'],
        ['domainname', 'domainname: example.com'],
        ['runtime', 'runtime: runc'],
        ['systempaths', 'security_opt: ["systempaths=unconfined"]'],
        ['a reserved device', 'gpus: all'],
      ] as const) {
        // Docker carries them out, and says itself when it can't
        if (engineName === 'Docker' && !['domainname', 'runtime', 'systempaths'].includes(key))
          continue
        proxy.reset()
        const run = await driver.up(`services:\n  web:\n    ${quick}\n    ${text}\n`)
        if (engineName === 'Docker') {
          succeeded(run)
          continue
        }
        assert.equal(run.end.outcome, 'failed')
        const told = run.plan?.skipped.map(({ problem }) => problem.message).join()
        assert.match(told ?? '', new RegExp(`^${key} has no effect on this engine \\(Podman 4`))
        const made = proxy.writes().filter(({ path }) => path.includes('/containers/'))
        assert.deepEqual(made, [])
      }
    },
  )

  await t.test('a bound folder that is missing is made, unless it must not be', async (own) => {
    const driver = stack(own, 'bound')
    const yaml = (makes: boolean) => `
services:
  web:
    ${quick}
    volumes:
      - { type: bind, source: ./missing, target: /data, bind: { create_host_path: ${makes} } }
`
    const refused = await driver.up(yaml(false))
    assert.equal(refused.end.outcome, 'failed')
    const problem = refused.problems.find(({ at }) => at !== undefined)
    assert.match(problem?.message ?? '', /bind source path does not exist: .*\/missing/)
    assert.match(problem?.at?.file ?? '', /compose\.yaml$/)
    assert.equal(problem?.at?.line, 3)
    assert.equal(existsSync(join(driver.folder, 'missing')), false)
    succeeded(await driver.up(yaml(true)))
    assert.equal(existsSync(join(driver.folder, 'missing')), true)
  })

  await t.test('external networks and volumes are only checked', async (own) => {
    const driver = stack(own, 'outer')
    const yaml = `
services:
  web:
    ${quick}
    volumes: ["shared:/shared"]
volumes: { shared: { external: true, name: outer-shared } }
`
    const missing = await driver.up(yaml)
    assert.equal(missing.end.outcome, 'failed')
    assert.match(
      JSON.stringify(missing.plan?.skipped),
      /volume outer-shared is external, and it is not there/,
    )
    await driver.docker.ask('POST', '/volumes/create', {
      body: { Name: 'outer-shared' },
      signal,
      doing: 'x',
    })
    succeeded(await driver.up(yaml))
    succeeded(await driver.down())
    const names = (await listVolumes(driver.docker, [], signal)).map(({ name }) => name)
    assert.ok(names.includes('outer-shared'))
  })
})
