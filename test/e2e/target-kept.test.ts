/** What must not be lost or shown: data in volumes, secrets, what could not be seen, what is not ours. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createContainer, listContainers, removeContainer } from '#clients/podman/containers.ts'
import { createSecret, listSecrets, removeSecret } from '#clients/podman/secrets.ts'
import { createVolume, listVolumes, removeVolume } from '#clients/podman/volumes.ts'
import { label } from '#domains/charts/labels.ts'
import type { VolumeSpec } from '#domains/charts/spec.ts'
import {
  container,
  drive,
  inside,
  need,
  network,
  sealed,
  secret,
  usualOptions,
  volume,
  type Driver,
} from '../testbed/drive.ts'
import { addImage, busybox } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'
import { startPodman, type TestPodman } from '../testbed/podman.ts'
import { startProxy, type Proxy } from '../testbed/proxy.ts'

const skip = required('podman')
const { signal } = new AbortController()

test('kept', { skip }, async (t) => {
  let service: TestPodman
  let proxy: Proxy
  let driver: Driver
  before(async () => {
    service = await startPodman()
    await addImage(service.socket)
    proxy = await startProxy(service.socket)
  })
  after(async () => {
    await proxy.stop()
    await service.stop()
  })
  t.afterEach(async () => {
    await driver.uninstall({ options: { ...usualOptions, pruneVolumes: true } })
    driver.close()
  })
  const secretNames = async () =>
    (await listSecrets(driver.podman, signal)).map(({ name }) => name).toSorted()

  const mount = { path: '/data', readOnly: false, from: { kind: 'named', volume: 'data' } } as const
  const withData = (from: VolumeSpec['from'], more: Partial<VolumeSpec> = {}) => [
    volume('data', { from, ...more }),
    container('db', { mounts: [mount] }, [need('volume/data', 'exists', true)]),
  ]
  const plain = { kind: 'named', driver: 'local', isEphemeral: false } as const

  await t.test('a changed volume is refused, and made anew only when it is said', async () => {
    driver = drive(service.socket, 'volumes')
    await driver.apply(withData(plain))
    await inside(driver, 'db', ['sh', '-c', 'echo precious > /data/file'])
    const changed = { ...plain, options: { device: 'tmpfs', type: 'tmpfs' } }
    const { end, plan } = await driver.apply(withData(changed))
    assert.equal(end.outcome, 'failed')
    const problem = plan!.skipped.find(({ ref }) => ref === 'volume/data')!.problem
    assert.deepEqual(
      [problem.code, /--recreate-volumes/.test(problem.suggestion!)],
      ['volume_changed', true],
    )
    assert.equal(await inside(driver, 'db', ['cat', '/data/file']), 'precious\n')
    const labelled = await driver.apply(withData(plain, { labels: { a: 'b' } }))
    assert.equal(labelled.end.summary.unchanged, 2)
    const anew = await driver.apply(withData(changed), {
      options: { ...usualOptions, recreateVolumes: true },
    })
    assert.deepEqual([anew.end.outcome, anew.problems], ['succeeded', []], anew.text)
    assert.equal(await inside(driver, 'db', ['ls', '/data']), '')
    assert.equal((await driver.apply(withData(changed))).end.summary.unchanged, 2)
  })

  await t.test('data outlives its declaration; scratch space does not', async () => {
    driver = drive(service.socket, 'orphans')
    await driver.apply([
      volume('data'),
      volume('scratch', { from: { ...plain, isEphemeral: true } }),
    ])
    const { plan } = await driver.apply([])
    assert.deepEqual(
      [plan!.kept.map(({ ref }) => ref), plan!.groups.map(({ ref }) => ref)],
      [['volume/data'], ['volume/scratch']],
    )
    assert.deepEqual(
      (await listVolumes(driver.podman, signal)).map(({ name }) => name),
      ['data'],
    )
  })

  await t.test('paths of the host are as their type says, or it is told', async () => {
    driver = drive(service.socket, 'paths')
    const folder = mkdtempSync(join(tmpdir(), 'tend-paths-'))
    const at = (
      name: string,
      path: string,
      type: 'Directory' | 'File' | 'Socket' | 'CharDevice' | 'BlockDevice',
    ) => volume(name, { from: { kind: 'host', path, type } })
    const { plan } = await driver.apply([
      at('there', folder, 'Directory'),
      at('socket', service.socket, 'Socket'),
      at('device', '/dev/null', 'CharDevice'),
      at('missing', join(folder, 'none'), 'Directory'),
      at('wrong', folder, 'File'),
    ])
    assert.deepEqual(plan!.unchanged, ['volume/there', 'volume/socket', 'volume/device'])
    assert.deepEqual(
      plan!.skipped.map(({ ref, problem }) => [ref, problem.code]),
      [
        ['volume/missing', 'not_possible_here'],
        ['volume/wrong', 'not_possible_here'],
      ],
    )
    rmSync(folder, { recursive: true })
  })

  await t.test('a sub-path that leads out of its volume is refused', async () => {
    driver = drive(service.socket, 'escape')
    await driver.apply(withData(plain))
    await inside(driver, 'db', ['ln', '-s', '/etc', '/data/out'])
    const { end, problems } = await driver.apply([
      volume('data'),
      container('db', { mounts: [{ ...mount, subPath: 'out' }] }, [
        need('volume/data', 'exists', true),
      ]),
    ])
    assert.deepEqual([end.outcome, end.isRolledBack], ['failed', false])
    assert.match(problems[0]!.message, /leaves its volume/)
  })

  await t.test(
    'secrets change their names, not their users; what a killed run left goes',
    async () => {
      driver = drive(service.socket, 'secrets')
      const resources = (value: string) => [
        secret('login', { a: sealed(driver, 'a', value), b: sealed(driver, 'b', 'same') }),
        container('user', { secretEnv: { A: { from: 'secret/login', output: 'a' } } }, [
          need('secret/login', 'exists', true),
        ]),
      ]
      const value = async () => (await inside(driver, 'user', ['sh', '-c', 'echo $A'])).trim()
      await driver.apply(resources('one'))
      assert.deepEqual([await secretNames(), await value()], [['login_a', 'login_b'], 'one'])
      await driver.apply(resources('two'))
      const second = await secretNames()
      assert.match(second.join(' '), /^login_a-([0-9a-f]{6}) login_b-\1$/)
      assert.equal(await value(), 'two')
      await driver.apply(resources('three'))
      assert.deepEqual([await secretNames(), await value()], [['login_a', 'login_b'], 'three'])
      // an object that someone removed comes back under the name that its users know
      await removeSecret(driver.podman, 'login_b', signal)
      const mended = await driver.apply(resources('three'))
      assert.match(mended.text, /update secret\/login: the object of key b is gone/)
      assert.deepEqual(await secretNames(), ['login_a', 'login_b'])
      // half of a new generation, left by a run that was killed
      const labels = {
        [label.owner]: 'test:chart:secrets',
        [label.ref]: 'secret/login',
        [label.hash]: 'x',
        [label.key]: 'a',
      }
      await createSecret(driver.podman, 'login_a-abcdef', labels, Buffer.from('half'), signal)
      const cleaned = await driver.apply(resources('three'))
      assert.match(cleaned.text, /left something behind/)
      assert.deepEqual([await secretNames(), await value()], [['login_a', 'login_b'], 'three'])
      const again = await driver.apply(resources('three'))
      assert.equal(again.end.summary.unchanged, 2, again.text)
    },
  )

  await t.test('a failed run leaves no new secret', async () => {
    driver = drive(service.socket, 'failing')
    const resources = (value: string, args: readonly string[]) => [
      secret('login', { a: sealed(driver, 'fa', value) }),
      container('user', { args, secretEnv: { A: { from: 'secret/login', output: 'a' } } }, [
        need('secret/login', 'exists', true),
      ]),
    ]
    await driver.apply(resources('one', ['sleep', '1000']))
    const { end } = await driver.apply(resources('two', ['false']))
    assert.deepEqual(
      [end.outcome, end.isRolledBack, await secretNames()],
      ['failed', true, ['login']],
    )
  })

  await t.test('what was tampered with is made anew', async () => {
    driver = drive(service.socket, 'tampered')
    await driver.apply([container('a')])
    const { labels } = (await listContainers(driver.podman, signal))[0]!
    await removeContainer(driver.podman, 'a', 0, signal)
    const body = {
      name: 'a',
      image: busybox,
      command: ['sleep', '9'],
      labels: { ...labels, [label.spec]: '{}' },
    }
    await createContainer(driver.podman, body, signal)
    const { end, text } = await driver.apply([container('a')])
    assert.equal(end.outcome, 'succeeded')
    assert.match(text, /replace container\/a: its record is missing or was tampered with/)
  })

  await t.test("a stranger's volume and secret under our names are left alone", async () => {
    driver = drive(service.socket, 'strangers')
    await createVolume(driver.podman, { Name: 'data' }, signal)
    await createSecret(driver.podman, 'login', {}, Buffer.from('theirs'), signal)
    const { plan } = await driver.apply([
      volume('data'),
      secret('login', { a: sealed(driver, 's', 'x') }),
    ])
    assert.deepEqual(
      plan!.skipped.map(({ problem }) => problem.code),
      ['name_taken', 'name_taken'],
    )
    await removeVolume(driver.podman, 'data', signal)
    await removeSecret(driver.podman, 'login', signal)
  })

  await t.test('on what could not be seen nothing is done', async () => {
    driver = drive(proxy.socket, 'unseen')
    await driver.apply([network('net'), container('a')])
    for (const fault of ['refuse', 'cut-before'] as const) {
      proxy.plan(({ path }) => (path.includes('/containers/json') ? fault : 'pass'))
      proxy.reset()
      const { end, plan } = await driver.apply([network('net')])
      assert.equal(proxy.writes().length, 0)
      assert.equal(plan!.groups.length, 0)
      const { plan: other } = await driver.apply([
        network('net'),
        container('a', { args: ['sleep', '5'] }),
      ])
      assert.equal(other!.skipped[0]!.problem.code, 'unknown_state')
      assert.ok(end)
    }
    proxy.plan(() => 'refuse')
    const { end, problems } = await driver.apply([network('net')])
    assert.equal(end.outcome, 'failed')
    assert.match(problems[0]!.message, /could not list/)
    proxy.plan(() => 'pass')
  })
})
