/** A chart that tries to reach the host through a link in its own volume, on real Podman. */
import assert from 'node:assert/strict'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadedCharts } from '#kinds/charts/load.ts'
import { denyAll } from '#model/policy.ts'
import { fakeRepository } from '../fake/repository.ts'
import { addImage, busybox } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'
import { startPodman } from '../testbed/podman.ts'
import { serve, stackOf } from '../testbed/serve.ts'
import { waitFor } from '../testbed/serving.ts'

const head = 'apiVersion: cutepod/v1alpha0\nkind: '

function container(name: string, script: string, mount: string): string {
  return `${head}CuteContainer
metadata: { name: ${name} }
spec:
  image: ${busybox}
  command: [sh, -c, ${JSON.stringify(script)}]
  restartPolicy: always
  stopTimeoutSeconds: 0
  volumes: [${mount}]
`
}

/** Names are Podman's own: each chart has another one. */
function volume(chart: string): string {
  return `${head}CuteVolume\nmetadata: { name: ${chart}-data }\nspec: { volume: {} }\n`
}

void test('planted links in charts', { skip: required('podman') }, async (t) => {
  const engine = await startPodman()
  t.after(() => engine.stop())
  await addImage(engine.socket)
  const canary = mkdtempSync(join(engine.root, 'canary-'))
  writeFileSync(join(canary, 'secret'), 'of the host')
  const plants = `rm -rf /data/sub; ln -s ${canary} /data/sub; sleep 1000`
  const attacks = 'echo taken > /x/written; sleep 1000'
  const whole = '{ name: DATA, mountPath: /data }'
  const part = '{ name: DATA, mountPath: /x, subPath: sub }'
  const folder = (): string => mkdtempSync(join(engine.root, 'service-'))

  function chart(name: string, ...manifests: readonly string[]): Readonly<Record<string, string>> {
    return {
      [`${name}/Chart.yaml`]: `name: ${name}\nversion: 1.0.0\n`,
      [`${name}/templates/all.yaml`]: [volume(name), ...manifests]
        .join('---\n')
        .replaceAll('DATA', `${name}-data`)
        .replaceAll(/name: ([ab]) /g, `name: ${name}-$1 `),
    }
  }

  function served(
    name: string,
    repo: ReturnType<typeof fakeRepository>,
    allowedRoots: readonly string[] = [],
  ) {
    const app = stackOf(name, `unix://${engine.socket}`, {
      application: { kind: 'chart', namespace: null, name },
      policy: { security: { ...denyAll, allowedRoots }, prune: true },
    })
    const declarations = { apps: [app] }
    const one = serve({ folder: folder(), instance: name, repo, declarations, kind: loadedCharts })
    t.after(() => one.stop())
    return one
  }

  await t.test('a volume that is a bind is looked at on the disk as a bind is', async () => {
    const media = mkdtempSync(join(engine.root, 'media-'))
    const shared = join(media, 'shared')
    mkdirSync(shared)
    const [planted, before] = [join(shared, 'l'), readdirSync(canary)]
    const own = `${head}CuteVolume\nmetadata: { name: m }\nspec: { hostPath: { path: ${shared} } }\n`
    const plant = `rm -rf /data/l; ln -s ${canary} /data/l; sleep 1000`
    const a = container('a', plant, '{ name: m, mountPath: /data }')
    const bind = `${head}CuteVolume\nmetadata: { name: n }\nspec: { volume: { options: { type: none, o: bind, device: ${planted} } } }\n`
    const b = container('b', attacks, '{ name: n, mountPath: /x }')
    const repo = fakeRepository(folder())
    repo.commit(chart('device', own, a))
    const one = served('device', repo, [media])
    await one.start()
    await one.until('chart:device', ({ state }) => state === 'synced')
    await waitFor(() => lstatSync(planted, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    repo.commit(chart('device', own, a, bind, b))
    one.refresh()
    await one.until('chart:device', ({ state }) => state === 'failed')
    renameSync(shared, `${shared}-away`)
    symlinkSync(canary, shared)
    await assert.rejects(one.restart('chart:device', undefined), /where a link leads to/)
    assert.deepEqual(readdirSync(canary), before)
  })

  await t.test(
    'a part of a volume that another container writes as a whole is refused',
    async () => {
      const repo = fakeRepository(folder())
      repo.commit(chart('both', container('a', plants, whole), container('b', attacks, part)))
      const one = served('both', repo)
      await one.start()
      const { reason } = await one.until('chart:both', ({ state }) => state === 'failed')
      assert.match(
        reason,
        /subPath sub of both-data lies in both-data, which container\/both-a may write/,
      )
      assert.deepEqual(readdirSync(canary), ['secret'])
    },
  )

  await t.test('a link that an earlier commit left in the volume is not followed', async () => {
    const repo = fakeRepository(folder())
    repo.commit(chart('later', container('a', plants, whole)), 'one')
    const one = served('later', repo)
    await one.start()
    await one.until('chart:later', ({ state }) => state === 'synced')
    repo.commit(chart('later'), 'two')
    one.refresh()
    await one.until('chart:later', (now) => now.state === 'synced' && now.synced?.message === 'two')
    repo.commit(chart('later', container('b', attacks, part)), 'three')
    one.refresh()
    const { reason } = await one.until('chart:later', ({ state }) => state === 'failed')
    assert.match(reason, /where a link leads to/)
    assert.deepEqual(readdirSync(canary), ['secret'])
  })

  await t.test('nor are folders made through it', async () => {
    const deeper = '{ name: DATA, mountPath: /x, subPath: sub/made }'
    const repo = fakeRepository(folder())
    repo.commit(chart('deeper', container('a', plants, whole)), 'one')
    const one = served('deeper', repo)
    await one.start()
    await one.until('chart:deeper', ({ state }) => state === 'synced')
    repo.commit(chart('deeper', container('b', attacks, deeper)), 'two')
    one.refresh()
    await one.until('chart:deeper', ({ state }) => state === 'failed')
    assert.ok(!existsSync(join(canary, 'made')))
  })

  await t.test('a part that nobody writes above is mounted', async () => {
    const repo = fakeRepository(folder())
    repo.commit(chart('fine', container('b', attacks, part)))
    const one = served('fine', repo)
    await one.start()
    const { state, reason } = await one.until(
      'chart:fine',
      ({ state: now }) => now !== 'syncing' && now !== 'missing',
    )
    assert.equal(state, 'synced', reason)
  })
})
