/** The contract of kinds on stacks, with a real Docker. */
import { after, before } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { removeContainer } from '#clients/docker/containers.ts'
import { recordOf } from '#model/read-json.ts'
import { stacksKind } from '#domains/stacks/domain.ts'
import { requiredDocker, startDocker, type TestDocker } from '../testbed/docker.ts'
import { driveStack } from '../testbed/drive-stack.ts'
import { busybox } from '../testbed/image.ts'
import { kindContract } from './kind.ts'

const skip = requiredDocker()
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
    return {
      kind: stacksKind,
      target: driver.target,
      application: { kind: 'stack', namespace: null, name: project },
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
        driver.close()
      },
    }
  },
  { skip, mostCuts: 3 },
)
