/** An image's working directory that leads through a link onto the host: Podman is never asked to make it. On real Podman. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
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

void test('working directories of images on Podman', { skip: required('podman') }, async (t) => {
  const engine = await startPodman()
  t.after(() => engine.stop())
  await addImage(engine.socket)
  const folder = (): string => mkdtempSync(join(engine.root, 'service-'))

  function podman(...words: readonly string[]): string {
    return execFileSync(engine.command, words, { encoding: 'utf8', stdio: 'pipe' })
  }

  function build(name: string, lines: string): string {
    const context = folder()
    writeFileSync(join(context, 'Dockerfile'), `FROM ${busybox}\n${lines}\n`)
    podman('build', '-t', `localhost/${name}:1`, context)
    return `localhost/${name}:1`
  }

  /** Gives the reason of the state that the application ends in. */
  async function served(kind: 'stack' | 'chart', name: string, image: string, script: string) {
    const command = JSON.stringify(['sh', '-c', script])
    const files =
      kind === 'stack'
        ? {
            [`${name}/compose.yaml`]: `services: { web: { image: "${image}", command: ${command}, container_name: ${name}, restart: always, stop_grace_period: 0s, pull_policy: never } }\n`,
          }
        : {
            [`${name}/Chart.yaml`]: `name: ${name}\nversion: 1.0.0\n`,
            [`${name}/templates/web.yaml`]: `apiVersion: cutepod/v1alpha0\nkind: CuteContainer\nmetadata: { name: ${name} }\nspec: { image: "${image}", command: ${command}, restartPolicy: always, stopTimeoutSeconds: 0, imagePullPolicy: Never }\n`,
          }
    const repo = fakeRepository(folder())
    repo.commit(files)
    const app = stackOf(name, `unix://${engine.socket}`, {
      application: { kind, namespace: null, name },
      policy: { security: denyAll },
    })
    const one = serve({
      folder: folder(),
      instance: name,
      repo,
      declarations: { apps: [app] },
      ...(kind === 'chart' ? { kind: loadedCharts } : {}),
    })
    t.after(() => one.stop())
    await one.start()
    return one.until(
      `${kind}:${name}`,
      ({ state }) => state === 'synced' || state === 'failed' || state === 'drifted',
    )
  }

  for (const kind of ['stack', 'chart'] as const) {
    await t.test(`a ${kind} runs in the working directory of its image`, async () => {
      const image = build(`good-${kind}`, 'WORKDIR /srv/data')
      const name = `good-${kind}`
      const { state, reason } = await served(kind, name, image, 'pwd; exec sleep 1000')
      assert.equal(state, 'synced', reason)
      await waitFor(() => podman('logs', name).trim() === '/srv/data')
    })

    await t.test(`a ${kind} whose image has a link onto the host makes nothing there`, async () => {
      const canary = mkdtempSync(join(engine.root, 'canary-'))
      const name = `link-${kind}`
      const image = build(name, `RUN ln -s ${canary} /link\nWORKDIR /link/planted`)
      await served(kind, name, image, 'pwd; exec sleep 1000')
      assert.deepEqual(readdirSync(canary), [])
    })

    await t.test(`a ${kind} that plants the link while it runs makes nothing either`, async () => {
      const canary = mkdtempSync(join(engine.root, 'canary-'))
      const name = `plant-${kind}`
      const image = build(name, 'WORKDIR /app/planted')
      const script = `cd /; rm -rf /app; ln -s ${canary} /app; touch /done; sleep 1000`
      await served(kind, name, image, script)
      await waitFor(() => podman('exec', '-w', '/', name, 'ls', '/').includes('done'))
      podman('kill', name)
      // Podman starts it again by itself, or can't; nobody of ours is asked
      await waitFor(() => /^(Exit|Init|Create)/.test(statusOf(name)))
      assert.throws(() => podman('start', name), /app/)
      assert.deepEqual(readdirSync(canary), [])
    })
  }

  function statusOf(name: string): string {
    return podman('ps', '-a', '--filter', `name=^${name}$`, '--format', '{{.Status}}')
  }
})
