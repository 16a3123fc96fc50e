/** Docker's own tools beside us: they see what we made, and we take over what they made. */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { ownerOf } from '#model/application.ts'
import { adoptStack } from '#domains/stacks/adopt.ts'
import { readMarkers, removeMarker, stackHash, writeMarker } from '#domains/stacks/marker.ts'
import { recall } from '#domains/stacks/recall.ts'
import { composeOracle, runCompose } from '../testbed/compose-oracle.ts'
import type { StackDriver } from '../testbed/drive-stack.ts'
import { busybox } from '../testbed/image.ts'
import { onBothEngines, succeeded } from './stack-bench.ts'

const oracle = composeOracle()
const { signal } = new AbortController()

function compose(socket: string, driver: StackDriver, ...words: readonly string[]): string {
  const { status, stdout, stderr } = runCompose(
    oracle,
    ['-p', driver.project, '--project-directory', driver.folder, ...words],
    {
      cwd: driver.folder,
      env: { PATH: process.env['PATH'], HOME: driver.folder, DOCKER_HOST: `unix://${socket}` },
    },
  )
  assert.equal(status, 0, `${words.join(' ')}\n${stderr}`)
  return stdout + stderr
}

function yaml(level: string): string {
  return `
services:
  web:
    image: ${busybox}
    command: sh -c "echo started; sleep 1000"
    stop_grace_period: 0s
    environment: { LEVEL: ${level} }
    depends_on: [db]
  db:
    image: ${busybox}
    command: sleep 1000
    stop_grace_period: 0s
    volumes: ["data:/data"]
volumes: { data: }
`
}

onBothEngines(async ({ engineName, t, socket, proxy, stack }) => {
  const { skip } = oracle
  await t.test('docker compose sees what we made: ps, logs, down', { skip }, async (own) => {
    const driver = stack(own, 'seen')
    succeeded(await driver.up(yaml('low')))
    assert.match(compose(socket, driver, 'ps', '--services'), /^db\nweb\n/)
    assert.match(compose(socket, driver, 'logs', 'web'), /started/)
    const [web] = (await driver.containers()).filter(({ name }) => name === 'seen-web-1')
    const hash = compose(socket, driver, 'config', '--hash', 'web').trim().split(' ')[1]
    assert.equal(web?.labels['com.docker.compose.config-hash'], hash)
    // where engines tell a network's id as what it is, up finds nothing to do either
    if (engineName === 'Docker') {
      const before = await driver.ids()
      compose(socket, driver, 'up', '-d')
      assert.deepEqual(await driver.ids(), before)
    }
    compose(socket, driver, 'down', '-t', '0')
    assert.deepEqual(await driver.ids(), {})
    succeeded(await driver.up(yaml('low')))
    assert.equal(Object.keys(await driver.ids()).length, 2)
  })

  await t.test('we take over what docker compose started', { skip }, async (own) => {
    const driver = stack(own, 'taken')
    driver.write({ 'compose.yaml': yaml('low') })
    compose(socket, driver, 'up', '-d')
    const before = await driver.ids()
    const refused = await driver.up(yaml('low'))
    assert.equal(refused.end.outcome, 'refused')
    assert.match(JSON.stringify(refused.plan?.skipped), /--adopt/)
    assert.deepEqual(await driver.ids(), before)

    const application = { kind: 'stack', namespace: null, name: 'taken' } as const
    const owner = ownerOf('test', application)
    const identity = { owner, application, version: 'r1', revision: 'r1', since: 1000 }
    const rendered = driver.render(yaml('low'))
    const adoption = await adoptStack(
      driver.docker,
      rendered,
      identity,
      { at: 1, which: 'all' },
      signal,
    )
    assert.deepEqual(adoption.differing, [])
    assert.equal(adoption.matching.length, 4)
    proxy.reset()
    const idle = succeeded(await driver.up(yaml('low')))
    assert.equal(idle.end.summary.unchanged, 4)
    assert.deepEqual(proxy.writes(), [])
    assert.deepEqual(await driver.ids(), before)

    const changed = succeeded(await driver.up(yaml('high')))
    assert.match(changed.text, /replace container\/web-1: environment.LEVEL changed/)
    const after = await driver.ids()
    assert.equal(after['taken-db-1'], before['taken-db-1'])
    assert.notEqual(after['taken-web-1'], before['taken-web-1'])
    succeeded(await driver.down())
    assert.deepEqual(await driver.ids(), {})
    await removeMarker(driver.docker, owner, signal)
    assert.equal((await readMarkers(driver.docker, signal)).has(owner), false)
  })

  await t.test(
    'what holds the files that it should is taken over as it is',
    { skip },
    async (own) => {
      const driver = stack(own, 'holding')
      const text = (content: string) => `
services:
  inline: { image: "${busybox}", command: sleep 1000, stop_grace_period: 0s, configs: [words] }
  mounted: { image: "${busybox}", command: sleep 1000, stop_grace_period: 0s, secrets: [token], volumes: ["./web.conf:/web.conf:ro"] }
  replaced: { image: "${busybox}", command: sleep 1000, stop_grace_period: 0s, configs: [{ source: site, target: /site }] }
configs: { words: { content: "${content}" }, site: { file: ./site } }
secrets: { token: { file: ./token } }
`
      driver.write({ 'compose.yaml': text('one'), 'web.conf': 'a', token: 'b', site: 'c' })
      compose(socket, driver, 'up', '-d')
      const before = await driver.ids()
      // the same words, but in another file than the one that is mounted
      rmSync(join(driver.folder, 'site'))
      driver.write({ site: 'c' })
      const application = { kind: 'stack', namespace: null, name: 'holding' } as const
      const owner = ownerOf('test', application)
      const identity = { owner, application, version: 'r1', revision: 'r1', since: 1000 }
      const rendered = driver.render(text('one'))
      const adoption = await adoptStack(
        driver.docker,
        rendered,
        identity,
        { at: 1, which: 'all' },
        signal,
      )
      // Podman reads the file that the container sees; Docker the one that is in its place now
      const isSeen = engineName === 'Podman'
      assert.deepEqual(adoption.matching, [
        'network/default',
        'container/inline-1',
        'container/mounted-1',
        ...(isSeen ? ['container/replaced-1'] : []),
      ])
      const why = '/site changed after it was started'
      assert.deepEqual(adoption.differing, isSeen ? [] : [{ ref: 'container/replaced-1', why }])
      succeeded(await driver.up(text('one')))
      const after = await driver.ids()
      assert.equal(after['holding-inline-1'], before['holding-inline-1'])
      assert.equal(after['holding-mounted-1'], before['holding-mounted-1'])
      assert.equal(after['holding-replaced-1'] === before['holding-replaced-1'], isSeen)
      proxy.reset()
      succeeded(await driver.up(text('one')))
      assert.deepEqual(proxy.writes(), [])
      const changed = succeeded(await driver.up(text('two')))
      assert.match(changed.text, /replace container\/inline-1/)
      assert.equal((await driver.ids())['holding-mounted-1'], before['holding-mounted-1'])
      succeeded(await driver.down())
      await removeMarker(driver.docker, owner, signal)

      compose(socket, driver, 'up', '-d')
      const other = await adoptStack(
        driver.docker,
        driver.render(text('one')),
        identity,
        { at: 1, which: 'all' },
        signal,
      )
      const inline = other.differing.find(({ ref }) => ref === 'container/inline-1')
      assert.equal(inline?.why, '/words holds something else')
      await removeMarker(driver.docker, owner, signal)
      compose(socket, driver, 'down', '-t', '0')
    },
  )

  await t.test('the marker knows the last sync, and is written only on news', async (own) => {
    const driver = stack(own, 'marked')
    const application = { kind: 'stack', namespace: null, name: 'marked' } as const
    const owner = ownerOf('test', application)
    succeeded(await driver.up(yaml('low')))
    const hash = stackHash(driver.render(yaml('low')))
    const news = { owner, revision: 'c1', hash, at: 1, outcome: 'succeeded' } as const
    assert.equal(await writeMarker(driver.docker, news, signal), true)
    proxy.reset()
    assert.equal(await writeMarker(driver.docker, { ...news, at: 2 }, signal), false)
    assert.deepEqual(proxy.writes(), [])
    const changed = { ...news, at: 3, hash: stackHash(driver.render(yaml('high'))), revision: 'c2' }
    assert.notEqual(changed.hash, hash)
    assert.equal(await writeMarker(driver.docker, changed, signal), true)
    assert.match(
      proxy
        .writes()
        .map(({ method }) => method)
        .join(' '),
      /^POST DELETE$/,
    )
    const markers = await readMarkers(driver.docker, signal)
    assert.equal(markers.get(owner)?.revision, 'c2')
    // the stack does not take it for its own
    succeeded(await driver.up(yaml('low')))
    assert.equal((await readMarkers(driver.docker, signal)).get(owner)?.revision, 'c2')
    const recalled = await recall(driver.docker, 'test', signal)
    const found = recalled.find((one) => one.application.name === 'marked')
    const { hash: lastHash } = changed
    const last = { revision: 'c2', hash: lastHash, at: 3, outcome: 'succeeded' }
    assert.deepEqual(found, { application, since: 1000, version: 'c2', last })
    await removeMarker(driver.docker, owner, signal)
  })

  await t.test('pruning leaves the marker, or the next run makes it again', async (own) => {
    const driver = stack(own, 'pruned')
    const { docker } = driver
    const application = { kind: 'stack', namespace: null, name: 'pruned' } as const
    const owner = ownerOf('test', application)
    succeeded(await driver.up(yaml('low')))
    const hash = stackHash(driver.render(yaml('low')))
    const news = { owner, revision: 'c7', hash, at: 1, outcome: 'succeeded' } as const
    await writeMarker(docker, news, signal)
    for (const kind of ['containers', 'networks', 'images', 'volumes']) {
      await docker.ask('POST', `/${kind}/prune`, { signal, doing: `prune ${kind}` })
    }
    const known = async () =>
      (await recall(docker, 'test', signal)).find((one) => one.application.name === 'pruned')
    // Podman prunes every volume that no container has; of those with options Docker prunes none
    if (engineName === 'Docker') {
      const last = { revision: 'c7', hash, at: 1, outcome: 'succeeded' }
      assert.deepEqual(await known(), { application, since: 1000, version: 'c7', last })
    } else {
      assert.deepEqual(await known(), { application, since: 1000, version: 'r1' })
      assert.equal(await writeMarker(docker, news, signal), true)
      assert.equal((await known())?.last?.hash, hash)
    }
    await removeMarker(docker, owner, signal)
    assert.equal((await readMarkers(docker, signal)).has(owner), false)
  })
})
