/** What docker compose started we leave as it is, and what we started docker compose leaves as it is, for stacks as people write them. */
import assert from 'node:assert/strict'
import { adoptStack } from '#domains/stacks/adopt.ts'
import { removeMarker } from '#domains/stacks/marker.ts'
import { ownerOf } from '#model/application.ts'
import { composeOracle, runCompose, type ComposeOracle } from '../testbed/compose-oracle.ts'
import type { StackDriver } from '../testbed/drive-stack.ts'
import { required } from '../testbed/packages.ts'
import { peopleStacks } from '../testbed/people-stacks.ts'
import { onEngine, succeeded } from './stack-bench.ts'

const oracles = [composeOracle('5.5.1'), composeOracle('2.40.3')]
const { signal } = new AbortController()

/** Only on Docker: docker compose takes Podman's networks for others on every `up`. */
onEngine('Docker', required('dockerd'), async ({ t, socket, stack }) => {
  for (const oracle of oracles) {
    for (const [name, files] of Object.entries(peopleStacks)) {
      const title = `${name}, beside docker compose ${oracle.version}`
      await t.test(title, { skip: oracle.skip }, async (own) => {
        const driver = stack(own, name)
        driver.write(files)
        const yaml = files['compose.yaml'] ?? ''
        const how = { input: { composeVersion: oracle.version } }
        succeeded(await driver.up(yaml, how))
        const ours = await driver.ids()
        compose(oracle, socket, driver, 'up', '-d')
        assert.deepEqual(await driver.ids(), ours, 'docker compose recreates nothing of ours')
        compose(oracle, socket, driver, 'down', '-t', '0')

        compose(oracle, socket, driver, 'up', '-d')
        const theirs = await driver.ids()
        const application = { kind: 'stack', namespace: null, name } as const
        const owner = ownerOf('test', application)
        const identity = { owner, application, version: 'r1', revision: 'r1', since: 1000 }
        // by the other one's hashes: either is right
        const [other] = oracles.filter(({ version }) => version !== oracle.version)
        const rendered = driver.render(yaml, {
          input: { composeVersion: other?.version ?? '5.5.1' },
        })
        const { differing } = await adoptStack(
          driver.docker,
          rendered,
          identity,
          { at: 1, which: 'all' },
          signal,
        )
        assert.deepEqual(differing, [])
        succeeded(await driver.up(yaml))
        assert.deepEqual(await driver.ids(), theirs, 'we recreate nothing of theirs')
        succeeded(await driver.down())
        await removeMarker(driver.docker, owner, signal)
      })
    }
  }
})

function compose(
  oracle: ComposeOracle,
  socket: string,
  driver: StackDriver,
  ...words: readonly string[]
): void {
  const { status, stderr } = runCompose(oracle, ['-p', driver.project, ...words], {
    cwd: driver.folder,
    env: { PATH: process.env['PATH'], HOME: driver.folder, DOCKER_HOST: `unix://${socket}` },
  })
  assert.equal(status, 0, `${words.join(' ')}\n${stderr}`)
}
