/** From a commit to a running stack, and what its status says: the road of the service on a real Docker. */
import assert from 'node:assert/strict'
import { before, after, describe, test, type TestContext } from 'node:test'
import { dockerAt, type Docker } from '#clients/docker/client.ts'
import { listContainers } from '#clients/docker/container-list.ts'
import { fakeRepository } from '../fake/repository.ts'
import { requiredDocker, startDocker, type TestDocker } from '../testbed/docker.ts'
import { busybox } from '../testbed/image.ts'
import { serve, stackOf, type Served, type ServeOptions } from '../testbed/serve.ts'

const never = new AbortController().signal

function web(greeting: string): string {
  return `
services:
  web:
    image: ${busybox}
    command: sleep 1000
    environment: { GREETING: ${greeting} }
    stop_grace_period: 0s
`
}

describe('service', { skip: requiredDocker() }, () => {
  let engine: TestDocker
  let docker: Docker
  before(async () => {
    engine = await startDocker()
    await engine.addImage()
    docker = dockerAt({ address: `unix://${engine.socket}` })
  })
  after(async () => {
    docker.close()
    await engine.stop()
  })

  function served(t: TestContext, options: Omit<ServeOptions, 'folder'>): Served {
    const service = serve({ folder: engine.root, ...options })
    t.after(() => service.stop())
    return service
  }
  async function ids(project: string): Promise<readonly string[]> {
    const all = await listContainers(docker, [`com.docker.compose.project=${project}`], never)
    return all.map(({ id }) => id)
  }

  test('US1.1 FR-002 FR-003: a stack that differs is brought to what is declared, and is synced', async (t) => {
    const repo = fakeRepository()
    const revision = repo.commit({ 'first/compose.yaml': web('hello') }, 'the first')
    const apps = [stackOf('first', `unix://${engine.socket}`)]
    const service = served(t, { repo, declarations: { apps } })
    const states: string[] = []
    service.listen((event) => {
      if (event.type === 'app') states.push(event.status.state)
    })
    await service.start()
    const status = await service.until('stack:first', ({ state }) => state === 'synced')
    assert.deepEqual([...new Set(states)], ['syncing', 'synced'])
    assert.equal(status.synced?.revision, revision)
    assert.equal(status.synced?.message, 'the first')
    assert.deepEqual(status.containers, { running: 1, total: 1 })
    assert.equal((await ids('first')).length, 1)
  })
})
