/** Images from a registry behind a password: progress, a moved tag, no password, no such tag, and each pull policy. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { listImages } from '#clients/podman/images.ts'
import { container, drive, inside, type Driver } from '../testbed/drive.ts'
import { addImage } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'
import { startPodman, type TestPodman } from '../testbed/podman.ts'
import { startRegistry, type Registry } from '../testbed/registry.ts'

const skip = required('podman') || required('docker-registry')
const { signal } = new AbortController()

test('images', { skip }, async (t) => {
  let registry: Registry
  let service: TestPodman
  let driver: Driver
  let folder: string
  before(async () => {
    registry = await startRegistry()
    service = await startPodman({ plainRegistries: [registry.host] })
    folder = mkdtempSync(join(tmpdir(), 'tend-auth-'))
    writeFileSync(join(folder, 'auth.json'), registry.authFile)
    process.env['REGISTRY_AUTH_FILE'] = join(folder, 'auth.json')
    driver = drive(service.socket, 'images')
  })
  after(async () => {
    delete process.env['REGISTRY_AUTH_FILE']
    driver.close()
    await service.stop()
    await registry.stop()
    rmSync(folder, { recursive: true })
  })
  async function pushed(mark: string): Promise<void> {
    await addImage(service.socket, `localhost/build-${mark}:1`, mark)
    await registry.push(service.socket, `localhost/build-${mark}:1`, 'app:1')
    // as on a machine that never saw it
    for (const name of [`${registry.host}/app:1`]) {
      await driver.podman.ask('DELETE', `/images/${encodeURIComponent(name)}`, {
        signal,
        doing: 'untag',
        fine: [404],
      })
    }
  }
  const app = (policy: 'always' | 'missing' | 'newer' | 'never', tag = '1') =>
    container('app', { image: `${registry.host}/app:${tag}`, imagePullPolicy: policy })
  const mark = async () => (await inside(driver, 'app', ['cat', '/mark'])).trim()

  await t.test('missing: pulled once, with progress', async () => {
    await pushed('one')
    const { end, events, problems } = await driver.apply([app('missing')])
    assert.deepEqual([end.outcome, problems], ['succeeded', []])
    assert.ok(
      events.some(
        (event) => event.type === 'progress' && /Copying|Trying|Writing/.test(event.text),
      ),
    )
    assert.equal(await mark(), 'one')
  })

  await t.test('missing and never: a tag that moved in the registry changes nothing', async () => {
    await addImage(service.socket, 'localhost/build-two:1', 'two')
    const ids = (await listImages(driver.podman, signal)).find(({ names }) =>
      names.includes(`${registry.host}/app:1`),
    )
    await registry.push(service.socket, 'localhost/build-two:1', 'app:1')
    await driver.podman.ask('POST', `/images/${ids!.id}/tag`, {
      query: { repo: `${registry.host}/app`, tag: '1' },
      signal,
      doing: 'tag',
    })
    assert.equal((await driver.apply([app('missing')])).end.summary.unchanged, 1)
    assert.equal((await driver.apply([app('never')])).end.summary.unchanged, 1)
  })

  await t.test('always: a moved tag replaces the container; asked again, nothing', async () => {
    const dry = await driver.apply([app('always')], { isDryRun: true })
    assert.equal(dry.plan!.groups.length, 0)
    const { end, text } = await driver.apply([app('always')])
    assert.equal(end.outcome, 'succeeded', text)
    assert.match(text, /is another image now/)
    assert.equal(await mark(), 'two')
    assert.equal((await driver.apply([app('always')])).end.summary.unchanged, 1)
  })

  await t.test('newer: likewise', async () => {
    await pushed('three')
    const { text } = await driver.apply([app('newer')])
    assert.match(text, /is another image now/)
    assert.equal(await mark(), 'three')
  })

  await t.test('no password, no such tag, never: told, and the old one runs on', async () => {
    process.env['REGISTRY_AUTH_FILE'] = join(folder, 'none.json')
    const denied = await driver.apply([app('always')])
    assert.equal(denied.plan!.skipped[0]!.problem.code, 'image_denied')
    process.env['REGISTRY_AUTH_FILE'] = join(folder, 'auth.json')
    const missing = await driver.apply([app('missing', '9')])
    assert.equal(missing.problems[0]!.code, 'image_not_found')
    const never = await driver.apply([app('never', '9')])
    assert.match(never.problems[0]!.message, /imagePullPolicy never/)
    assert.equal(await mark(), 'three')
    await driver.uninstall()
  })
})
