/** What went wrong in the program that stacks take after: each of its defects, by the name that it has in its own list, held against ours. */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { dockerAt } from '#clients/docker/client.ts'
import { disconnectContainer } from '#clients/docker/networks.ts'
import { removeContainer, renameContainer, stopContainer } from '#clients/docker/containers.ts'
import { readMarkers } from '#domains/stacks/marker.ts'
import { renderStack } from '#domains/stacks/render/render.ts'
import { allowAll } from '#model/policy.ts'
import { busybox } from '../testbed/image.ts'
import { tendOn } from '../testbed/tend.ts'
import { onBothEngines, succeeded } from './stack-bench.ts'

const { signal } = new AbortController()
const sleeper = `image: ${busybox}, command: sleep 1000, stop_grace_period: 0s`
const pair = `services: { web: { ${sleeper} }, db: { ${sleeper} } }`

onBothEngines(async ({ t, socket, proxy, stack }) => {
  await t.test(
    'FR-001, SC-002, partial removal: one that differs beside a running sibling is seen',
    async (own) => {
      const driver = stack(own, 'sibling')
      const { docker } = driver
      succeeded(await driver.up(pair))
      const { 'sibling-web-1': web } = await driver.ids()
      const harms: readonly (readonly [RegExp, () => Promise<unknown>])[] = [
        [
          /update container\/db-1: it has stopped/,
          () => stopContainer(docker, 'sibling-db-1', 0, signal),
        ],
        [
          /update container\/db-1: it is called other/,
          () => renameContainer(docker, 'sibling-db-1', 'other', signal),
        ],
        [
          /container\/db-1: it is not on network sibling_default/,
          () => disconnectContainer(docker, 'sibling_default', 'sibling-db-1', signal),
        ],
        [/create container\/db-1/, () => removeContainer(docker, 'sibling-db-1', false, signal)],
      ]
      for (const [words, harm] of harms) {
        await harm()
        assert.match(succeeded(await driver.up(pair)).text, words)
        proxy.reset()
        succeeded(await driver.up(pair))
        assert.deepEqual(proxy.writes(), [])
      }
      assert.equal((await driver.ids())['sibling-web-1'], web)
    },
  )

  await t.test(
    'FR-003: what was started but does not run, or is not well, is no success',
    async (own) => {
      const driver = stack(own, 'unwell')
      const once = (service: string) =>
        `services: { web: { image: ${busybox}, stop_grace_period: 0s, ${service} } }`
      const ends = await driver.up(once('command: sh -c "echo no luck; exit 4", restart: "no"'))
      assert.equal(ends.end.outcome, 'failed')
      assert.match(JSON.stringify(ends.problems), /exit code 4.*no luck/)
      const check = 'healthcheck: { test: "exit 1", interval: 100ms, retries: 1 }'
      const sick = await driver.up(once(`command: sleep 1000, ${check}`))
      assert.equal(sick.end.outcome, 'failed')
      assert.match(JSON.stringify(sick.problems), /not healthy/)
    },
  )

  await t.test("FR-005: two instances on one host leave each other's stacks alone", async (own) => {
    const [ours, theirs] = [stack(own, 'mine'), stack(own, 'shared')]
    succeeded(await ours.up(pair))
    succeeded(await theirs.up(pair, { request: { instance: 'another' } }))
    const before = { ...(await ours.ids()), ...(await theirs.ids()) }
    // the same name, signed by another: neither changed nor taken down
    const refused = await theirs.up(pair.replace('web', 'other'))
    assert.equal(refused.end.outcome, 'refused')
    assert.match(JSON.stringify(refused.plan?.skipped), /another:stack:shared/)
    await theirs.down()
    for (const [name, id] of Object.entries(before)) {
      assert.equal({ ...(await ours.ids()), ...(await theirs.ids()) }[name], id)
    }
    succeeded(await theirs.down({ instance: 'another' }))
    assert.equal('shared-db-1' in (await theirs.ids()), false)
    assert.equal(Object.keys(await ours.ids()).length, 2)
  })

  await t.test(
    'FR-019: however the file is written, its containers are known as ours',
    async (own) => {
      const driver = stack(own, 'styles')
      for (const yaml of [
        `{ services: { web: { ${sleeper} } } }`,
        `x-a: &a { ${sleeper} }\nservices: # all of them\n  web: &x # the one\n    <<: *a\n`,
        `services:\n    "web":\n        { ${sleeper} }\n`,
      ]) {
        succeeded(await driver.up(yaml))
        proxy.reset()
        assert.equal(succeeded(await driver.up(yaml)).end.summary.unchanged, 2)
        assert.deepEqual(proxy.writes(), [])
      }
      // three spellings of one stack
      assert.equal(Object.keys(await driver.ids()).length, 1)
    },
  )

  await t.test(
    'FR-019, SC-004: a service that was dropped goes, and the next run finds nothing to do',
    async (own) => {
      const driver = stack(own, 'dropped')
      succeeded(await driver.up(pair))
      const { 'dropped-web-1': web } = await driver.ids()
      const alone = `services: { web: { ${sleeper} } }`
      succeeded(await driver.up(alone))
      assert.deepEqual(await driver.ids(), { 'dropped-web-1': web })
      proxy.reset()
      succeeded(await driver.up(alone))
      assert.deepEqual(proxy.writes(), [])
    },
  )

  await t.test(
    'SC-004: a new revision that changes one service leaves the others as they are',
    async (own) => {
      const driver = stack(own, 'commit')
      succeeded(await driver.up(pair, { request: { revision: 'c1' }, input: { revision: 'c1' } }))
      const before = await driver.ids()
      proxy.reset()
      succeeded(await driver.up(pair, { request: { revision: 'c2' }, input: { revision: 'c2' } }))
      assert.deepEqual(proxy.writes(), [])
      const changed = pair.replace('web: {', 'web: { labels: { a: b },')
      succeeded(
        await driver.up(changed, { request: { revision: 'c3' }, input: { revision: 'c3' } }),
      )
      const after = await driver.ids()
      assert.equal(after['commit-db-1'], before['commit-db-1'])
      assert.notEqual(after['commit-web-1'], before['commit-web-1'])
      const labels = Object.fromEntries(
        (await driver.containers()).map((one) => [one.name, one.labels]),
      )
      assert.equal(labels['commit-db-1']?.['tend/revision'], 'c1')
      assert.equal(labels['commit-web-1']?.['tend/revision'], 'c3')
    },
  )

  await t.test(
    'runtime down: nothing is known, so nothing is said to be well and nothing is done',
    async (own) => {
      const driver = stack(own, 'down')
      succeeded(await driver.up(pair))
      const before = await driver.ids()
      proxy.reset()
      proxy.plan(() => 'cut-before')
      const run = await driver.up(`services: { web: { ${sleeper} } }`, {
        options: { timeout: 2_000 },
      })
      proxy.plan(() => 'pass')
      assert.equal(run.end.outcome, 'failed')
      assert.match(JSON.stringify(run.problems), /unreachable|socket hang up/)
      assert.deepEqual(proxy.writes(), [])
      assert.deepEqual(await driver.ids(), before)
    },
  )

  await t.test('invalid config: told with its place before the engine hears of it', async (own) => {
    const driver = stack(own, 'invalid')
    succeeded(await driver.up(pair))
    const before = await driver.ids()
    proxy.reset()
    const run = await driver.up(`${pair}\nvolums: {}\n`)
    assert.equal(run.end.outcome, 'refused')
    assert.match(JSON.stringify(run.problems), /volums.*"line":2/)
    assert.deepEqual(proxy.writes(), [])
    assert.deepEqual(await driver.ids(), before)
  })

  await t.test(
    'files: env_file, binds, configs, secrets, build, include and extends come along',
    async (own) => {
      const driver = stack(own, 'files')
      driver.write({
        'more/compose.yaml': `services: { base: { ${sleeper}, env_file: base.env, profiles: [never] }, side: { ${sleeper} } }`,
        'more/base.env': 'FROM_BASE=1\n',
        'web.env': 'FROM_FILE=2\n',
        'web.conf': 'bound',
        site: 'config',
        token: 'secret',
        'image/Dockerfile': `FROM ${busybox}\nCOPY note /note\n`,
        'image/note': 'built',
      })
      succeeded(
        await driver.up(`
include: [more/compose.yaml]
services:
  web:
    extends: { file: more/compose.yaml, service: base }
    profiles: !reset []
    env_file: web.env
    volumes: ["./web.conf:/web.conf:ro"]
    configs: [site]
    secrets: [token]
  made: { build: ./image, command: sleep 1000, stop_grace_period: 0s }
configs: { site: { file: ./site } }
secrets: { token: { file: ./token } }
`),
      )
      const said = await driver.inside(
        'files-web-1',
        'sh',
        '-c',
        'echo $FROM_BASE $FROM_FILE; cat /web.conf /site /run/secrets/token',
      )
      assert.equal(said, '1 2\nboundconfigsecret')
      assert.equal(await driver.inside('files-made-1', 'cat', '/note'), 'built')
      assert.ok('files-side-1' in (await driver.ids()))
    },
  )

  await t.test('injection: what a commit says is text and nothing else', async (own) => {
    const driver = stack(own, 'injected')
    const revision = 'a"\\b\n  evil: ${X:?} $HOME #'
    succeeded(await driver.up(pair, { request: { revision }, input: { revision } }))
    const [first] = await driver.containers()
    assert.equal(first?.labels['tend/revision'], revision)
    proxy.reset()
    succeeded(await driver.up(pair, { request: { revision }, input: { revision } }))
    assert.deepEqual(proxy.writes(), [])
  })

  await t.test("secrets: no file reads this process's environment", async (own) => {
    const driver = stack(own, 'nosy')
    process.env['TEND_TEST_TOKEN'] = 'hidden'
    own.after(() => delete process.env['TEND_TEST_TOKEN'])
    succeeded(
      await driver.up(
        `services: { web: { ${sleeper}, environment: { A: "\${TEND_TEST_TOKEN:-none}", TEND_TEST_TOKEN: } } }`,
      ),
    )
    const said = await driver.inside('nosy-web-1', 'sh', '-c', 'echo $A; env | grep -c hidden')
    assert.equal(said, 'none\n0')
  })

  await t.test('project name: any folder gives a valid one', (own) => {
    const { folder } = stack(own, 'unused')
    for (const [name, project] of [
      ['My.App v2', 'myappv2'],
      ['UPPER_case-1', 'upper_case-1'],
      ['--x', 'x'],
    ] as const) {
      const rendered = renderStack({
        load: {
          files: {
            read: (path) => (path.endsWith('/compose.yaml') ? Buffer.from(pair) : undefined),
            isDirectory: () => false,
          },
          workingDirectory: join(folder, name),
          configFiles: [join(folder, name, 'compose.yaml')],
          envFiles: [],
          environment: {},
          home: '/root',
          profiles: [],
          interpolate: true,
        },
        policy: allowAll,
        revision: 'r1',
        seed: new Uint8Array([1]),
      })
      assert.equal(rendered.project, project)
    }
  })

  await t.test('FR-013: a failure is known when the history is lost', async (own) => {
    const shell = tendOn(socket)
    const docker = dockerAt({ address: `unix://${socket}` })
    own.after(() => {
      shell.remove()
      docker.close()
    })
    shell.write({ 'failing/compose.yaml': pair })
    const { code } = await shell.tend('up -f failing/compose.yaml')
    assert.equal(code, 0)
    shell.write({
      'failing/compose.yaml': pair
        .replace('command: sleep 1000', 'command: "false", restart: "no"')
        .replace('web: {', 'web: { ports: ["80"],'),
    })
    const failed = await shell.tend('up -f failing/compose.yaml')
    assert.equal(failed.code, 1, failed.out)
    rmSync(join(shell.folder, 'home'), { recursive: true })
    const markers = [...(await readMarkers(docker, signal)).values()]
    const mine = markers.find(({ owner }) => owner.endsWith('stack:failing'))
    assert.equal(mine?.outcome, 'failed')
    assert.notEqual(mine.hash, '')
    const down = await shell.tend('down -p failing --yes')
    assert.equal(down.code, 0, down.err)
    assert.equal([...(await readMarkers(docker, signal)).values()].includes(mine), false)
  })

  await t.test(
    'concurrency: two runs of one stack at once are one after the other, or one',
    async (own) => {
      const driver = stack(own, 'twice')
      const runs = await Promise.all([driver.up(pair), driver.up(pair)])
      const outcomes = runs.map(({ end }) => end.outcome).toSorted()
      assert.ok(outcomes.includes('succeeded'), outcomes.join())
      const other = runs.find(({ end }) => end.outcome !== 'succeeded')
      if (other !== undefined) assert.match(JSON.stringify(other.problems), /"code":"held"/)
      assert.deepEqual(Object.keys(await driver.ids()), ['twice-db-1', 'twice-web-1'])
      proxy.reset()
      succeeded(await driver.up(pair))
      assert.deepEqual(proxy.writes(), [])
    },
  )
})
