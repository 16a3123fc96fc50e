/** The contract of kinds on stacks, with a real Docker. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { removeContainer } from '#clients/docker/containers.ts'
import { ownerOf } from '#model/application.ts'
import { recordOf } from '#model/read-json.ts'
import { stacksKind } from '#domains/stacks/domain.ts'
import { stacks } from '#kinds/stacks.ts'
import { composeOracle } from '../testbed/compose-oracle.ts'
import { requiredDocker, startDocker, type TestDocker } from '../testbed/docker.ts'
import { driveStack } from '../testbed/drive-stack.ts'
import { busybox } from '../testbed/image.ts'
import { kindContract } from './kind.ts'

const { path: compose, skip: lacking } = composeOracle()
const skip = requiredDocker() || lacking
const { signal } = new AbortController()
const password = 'correct horse battery staple'
let docker: TestDocker

before(async () => {
  if (skip !== false) return
  docker = await startDocker()
  await docker.addImage()
})

after(async () => {
  if (skip === false) await docker.stop()
})

function stackText(greeting: string, other: string): string {
  return `
services:
  web:
    image: ${busybox}
    command: sh -c "touch /tmp/well; sleep 1000"
    environment: { GREETING: ${greeting}, DB_PASSWORD: ${password} }
    healthcheck: { test: [CMD, test, -e, /tmp/well], interval: 1s, retries: 1, start_period: 5s }
    stop_grace_period: 0s
  ${other}:
    image: ${busybox}
    command: sleep 1000
    stop_grace_period: 0s
`
}

let number = 0

kindContract(
  'stacks',
  async () => {
    number += 1
    const project = `contract${number}`
    const driver = driveStack(docker.socket, docker.root, project)
    const web = `${project}-web-1`
    const application = { kind: 'stack', namespace: null, name: project }
    const loaded = (await stacks.load?.()) ?? assert.fail('stacks are always loaded')
    const connection = loaded.connect(loaded.find(`unix://${docker.socket}`), 'test')
    return {
      kind: stacksKind,
      target: driver.target,
      application,
      adoption: {
        async made() {
          driver.write({ 'compose.yaml': stackText('hello', 'old') })
          const file = join(driver.folder, 'compose.yaml')
          const env = { ...process.env, DOCKER_HOST: `unix://${docker.socket}` }
          const words = ['-p', project, '-f', file, 'up', '-d']
          const { status, stderr } = spawnSync(compose, words, { env, encoding: 'utf8' })
          assert.equal(status, 0, stderr)
        },
        async adopt(rendered) {
          const owner = ownerOf('test', application)
          const identity = { owner, application, version: '', revision: 'r1', since: 1000 }
          const wish = { at: 1000, which: 'matching' } as const
          const adopted = await connection.adopt?.(rendered, identity, wish, signal)
          return adopted?.ports.target ?? assert.fail('stacks can be adopted')
        },
        ids: () => driver.ids(),
      },
      first: () => driver.render(stackText('hello', 'old')),
      second: () => driver.render(stackText('good day', 'new')),
      secret: password,
      async sketch() {
        const found = await driver.containers()
        return found.map(({ name, state }) => `${name} ${state}`).toSorted()
      },
      async drift() {
        await removeContainer(driver.docker, `${project}-old-1`, false, signal)
      },
      async sicken() {
        await driver.inside(web, 'rm', '/tmp/well')
        for (let tries = 0; tries < 100; tries += 1) {
          const { Health: health } = recordOf((await driver.inspect(web))['State'])
          if (recordOf(health)['Status'] === 'unhealthy') return
          await setTimeout(100)
        }
      },
      async close() {
        await driver.down()
        connection.close()
        driver.close()
      },
    }
  },
  { skip },
)
