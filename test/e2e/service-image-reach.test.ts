/** What Podman takes from an image for its host: annotations that runtimes and hooks read, variables of its own. On real Podman. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadedCharts } from '#kinds/charts/load.ts'
import { loadedStacks } from '#kinds/stacks/load.ts'
import { allowAll, denyAll } from '#model/policy.ts'
import { fakeRepository } from '../fake/repository.ts'
import { ownRegistry } from '../testbed/own-registry.ts'
import { required } from '../testbed/packages.ts'
import { startPodman } from '../testbed/podman.ts'
import { serve, stackOf } from '../testbed/serve.ts'

const canary = 'canary-of-the-engine'

void test('what images ask of Podman and its host', { skip: required('podman') }, async (t) => {
  // a name that Podman finds among its own variables
  process.env['TEND_CANARY'] = canary
  const registry = await ownRegistry(t)
  const { host } = registry
  const about = { 'org.opencontainers.image.title': 'a test' }
  // Podman knows images of one configuration as one image, whatever their annotations say
  const own = (name: string): object => ({ Env: ['PATH=/bin', `OWN=${name}`] })
  const unit = { ...about, 'org.systemd.property.Wants': '["x.target"]' }
  registry.put('described:1', { amd64: own('described') }, about)
  registry.put('unit:1', { amd64: own('unit') }, unit)
  registry.put('runtime:1', { amd64: own('runtime') }, { 'run.oci.keep_original_groups': '1' })
  registry.put('variable:1', { amd64: { Env: ['PATH=/bin', 'TEND_CANARY'] } })
  registry.put('variables:1', { amd64: { Env: ['PATH=/bin', '*'] } })
  const engine = await startPodman({ plainRegistries: [host] })
  t.after(() => engine.stop())
  const folder = (): string => mkdtempSync(join(engine.root, 'service-'))
  const names = ['described', 'unit', 'runtime', 'variable', 'variables'] as const
  const refused = {
    unit: /unit:1 with the annotation org\.systemd\.property\.Wants, .* is denied by the policy/,
    runtime: /runtime:1 with the annotation run\.oci\.keep_original_groups, .* is denied/,
    variable: /variable:1 with the variable TEND_CANARY and no value for it, .* is denied/,
    variables: /variables:1 with the variable \* and no value for it, .* is denied/,
  }

  for (const kind of ['stack', 'chart'] as const) {
    await t.test(`of a ${kind}`, async () => {
      const repo = fakeRepository(folder())
      const files = names.flatMap((name) => {
        const image = `${host}/${name}:1`
        return kind === 'stack'
          ? [
              [
                `${name}/compose.yaml`,
                `services: { web: { image: "${image}", command: [sleep, "1000"], stop_grace_period: 0s } }\n`,
              ],
            ]
          : [
              [`${name}/Chart.yaml`, `name: ${name}\nversion: 1.0.0\n`],
              [
                `${name}/templates/web.yaml`,
                `apiVersion: cutepod/v1alpha0\nkind: CuteContainer\nmetadata: { name: ${name} }\nspec: { image: "${image}", command: [sleep, "1000"], stopTimeoutSeconds: 0 }\n`,
              ],
            ]
      })
      repo.commit(Object.fromEntries(files))
      const appOf = (name: string, security = denyAll) =>
        stackOf(name, `unix://${engine.socket}`, {
          application: { kind, namespace: null, name },
          policy: { security },
        })
      const one = serve({
        folder: folder(),
        instance: kind,
        repo,
        declarations: { apps: names.map((name) => appOf(name)) },
        kind: kind === 'chart' ? loadedCharts : loadedStacks,
      })
      t.after(() => one.stop())
      await one.start()
      const ended = (name: string) =>
        one.until(`${kind}:${name}`, ({ state }) => state === 'failed' || state === 'synced')
      const good = await ended('described')
      assert.equal(good.state, 'synced', good.reason)
      for (const [name, said] of Object.entries(refused)) {
        assert.match((await ended(name)).reason, said)
      }
      const all = execFileSync(engine.command, ['ps', '-aq'], { encoding: 'utf8' })
      const ids = all.trim().split('\n')
      const inspected = execFileSync(engine.command, ['inspect', ...ids], { encoding: 'utf8' })
      assert.doesNotMatch(inspected, new RegExp(`${canary}|systemd\\.property|keep_original`))
    })
  }

  await t.test('what the operator allows is run as it is', async () => {
    const repo = fakeRepository(folder())
    repo.commit({
      'allowed/compose.yaml': `services: { web: { image: "${host}/variable:1", container_name: allowed, command: [sleep, "1000"], stop_grace_period: 0s } }\n`,
    })
    const app = stackOf('allowed', `unix://${engine.socket}`, { policy: { security: allowAll } })
    const one = serve({ folder: folder(), instance: 'all', repo, declarations: { apps: [app] } })
    t.after(() => one.stop())
    await one.start()
    await one.until('stack:allowed', ({ state }) => state === 'synced')
    const inspected = execFileSync(engine.command, ['inspect', 'allowed'], { encoding: 'utf8' })
    assert.match(inspected, new RegExp(canary))
  })
})
