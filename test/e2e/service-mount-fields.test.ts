/** Paths of mounts that Podman would read as further fields: refused with their line, and no volume of another is mounted. */
import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { dockerAt } from '#clients/docker/client.ts'
import { listContainers } from '#clients/docker/container-list.ts'
import { denyAll } from '#model/policy.ts'
import type { AppStatus } from '#model/service.ts'
import { fakeRepository } from '../fake/repository.ts'
import { addImage, busybox } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'
import { startPodman } from '../testbed/podman.ts'
import { serve, stackOf } from '../testbed/serve.ts'

function stack(mount: string): string {
  return `services:
  web:
    image: ${busybox}
    command: sleep 1000
    stop_grace_period: 0s
    volumes: [{ ${mount} }]
volumes: { data: {} }
`
}

function isOver({ state }: AppStatus): boolean {
  return state === 'failed' || state === 'synced'
}

const volume = 'type: volume, source: data, volume: { nocopy: true }'

const attacks: Readonly<Record<string, string>> = {
  volume: `${volume}, target: "/x,source=victim_data,dst=/y"`,
  bind: 'type: bind, source: ./f, target: "/x,source=/etc"',
  memory: 'type: tmpfs, target: "/x,type=volume,source=victim_data"',
  unnamed: 'type: volume, target: "/etc:/x"',
  source: 'type: bind, source: "./f,source=/etc", target: /x, bind: { create_host_path: false }',
}

void test('paths with further fields', { skip: required('podman') }, async (t) => {
  const podman = await startPodman()
  t.after(() => podman.stop())
  await addImage(podman.socket)
  const target = `unix://${podman.socket}`
  const docker = dockerAt({ address: target })
  t.after(() => docker.close())
  const folder = (): string => mkdtempSync(join(podman.root, 'service-'))
  const repo = fakeRepository(folder())
  const files = Object.entries(attacks).flatMap(([key, mount]) => [
    [`${key}/compose.yaml`, stack(mount)],
    [`${key}/f`, ''],
    [`${key}/f,source=/etc`, ''],
  ])
  repo.commit({
    ...Object.fromEntries(files),
    'victim/compose.yaml': stack(`${volume}, target: /x`),
  })
  const made = (app: string, dependsOn: readonly string[] = []) =>
    stackOf(app, target, { policy: { security: denyAll, dependsOn } })
  const apps = [made('victim'), ...Object.keys(attacks).map((key) => made(key, ['stack:victim']))]
  const service = serve({ folder: folder(), repo, declarations: { apps } })
  t.after(() => service.stop())
  await service.start()
  assert.equal((await service.until('stack:victim', isOver)).state, 'synced')
  for (const key of Object.keys(attacks)) {
    const { reason } = await service.until(`stack:${key}`, isOver)
    assert.match(
      reason,
      new RegExp(`${key}/compose.yaml:\\d+:\\d+: .*can't be told to Podman`),
      key,
    )
  }
  const all = await listContainers(docker, [], new AbortController().signal)
  assert.deepEqual(
    all.map(({ name }) => name),
    ['victim-web-1'],
  )
})
