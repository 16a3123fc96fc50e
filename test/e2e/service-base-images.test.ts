/** A build starts from the very image that was looked at, whatever its registry answers next: on real Docker and real Podman. */
import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { denyAll } from '#model/policy.ts'
import { fakeRepository } from '../fake/repository.ts'
import { startDocker } from '../testbed/docker.ts'
import { ownRegistry } from '../testbed/own-registry.ts'
import { required } from '../testbed/packages.ts'
import { startPodman } from '../testbed/podman.ts'
import { serve, stackOf } from '../testbed/serve.ts'

const skip = required('dockerd') || required('podman')
const compose = 'services: { web: { build: ., command: sleep 1000, stop_grace_period: 0s } }\n'

for (const kind of ['Docker', 'Podman'] as const) {
  test(
    `base images on ${kind}: what a registry gives later, or for another machine, is not built on`,
    { skip },
    async (t) => {
      const registry = await ownRegistry(t)
      const { host } = registry
      const brings = (path: string) => ({ OnBuild: [`ADD http://${host}/${path} /x`] })
      registry.put('late:1', { amd64: brings('late') })
      // of a pull: Docker asks twice before it gives up
      registry.hide('late:1', kind === 'Docker' ? 2 : 1)
      registry.put('machine:1', { amd64: {}, arm64: brings('machine') })
      registry.put('good:amd64', { amd64: { Env: ['PATH=/bin', 'FROM=good'] } })
      const engine =
        kind === 'Docker' ? await startDocker() : await startPodman({ plainRegistries: [host] })
      t.after(() => engine.stop())
      const files = {
        late: `FROM ${host}/late:1\nRUN true\n`,
        machine: `FROM --platform=linux/arm64 ${host}/machine:1\nRUN true\n`,
        stage: `FROM ${host}/good:amd64 AS Build-amd64\nRUN echo own > /mark\nFROM ${host}/good:amd64 AS build-arm64\nFROM build-\${TARGETARCH}\nRUN test "$(cat /mark)" = own\n`,
        good: `ARG TARGETARCH\nFROM --platform=$BUILDPLATFORM ${host}/good:\${TARGETARCH} AS base\nFROM base\nRUN test "$FROM" = good\n`,
      }
      const repo = fakeRepository(mkdtempSync(join(engine.root, 'service-')))
      const all = Object.entries(files).flatMap(([name, text]) => [
        [`${name}/compose.yaml`, compose],
        [`${name}/Dockerfile`, text],
      ])
      repo.commit(Object.fromEntries(all))
      const policy = { security: denyAll }
      const apps = Object.keys(files).map((name) =>
        stackOf(name, `unix://${engine.socket}`, { policy }),
      )
      const folder = mkdtempSync(join(engine.root, 'service-'))
      const service = serve({ folder, repo, declarations: { apps } })
      t.after(() => service.stop())
      await service.start()
      const ended = (name: string) =>
        service.until(`stack:${name}`, ({ state }) => state === 'failed' || state === 'synced')
      assert.match((await ended('late')).reason, /could not pull image \S+late:1/)
      assert.match(
        (await ended('machine')).reason,
        /Dockerfile:1: ADD http:\S+machine, .* as \S+machine:1 has it \(ONBUILD\) is denied/,
      )
      for (const name of ['good', 'stage']) {
        const { state, reason } = await ended(name)
        assert.equal(state, 'synced', reason)
      }
      assert.deepEqual(registry.asked, [])
    },
  )
}
