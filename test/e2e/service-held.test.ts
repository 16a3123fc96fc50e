/** What runs is held against what was declared, whoever removed it and when; and what was in the way is tried again when it is gone. */
import assert from 'node:assert/strict'
import type { Docker } from '#clients/docker/client.ts'
import { busybox } from '../testbed/image.ts'
import { waitFor } from '../testbed/serving.ts'
import { checkedStack, isWell, onBothEngines } from './health-bench.ts'

const never = new AbortController().signal

/** As `docker compose -p NAME up -d` leaves it: its own container in the place of ours. */
async function composeUp(docker: Docker, project: string): Promise<void> {
  const name = `${project}-web-1`
  const asked = { signal: never, doing: 'as docker compose would' }
  const Labels = { 'com.docker.compose.project': project, 'com.docker.compose.service': 'web' }
  const body = { Image: busybox, Cmd: ['sleep', '1000'], Labels }
  const made = await docker.ask('POST', '/containers/create', { ...asked, body })
  const { Id: id } = JSON.parse(JSON.stringify(made.body))
  // a service that is quick puts its own back before the name is taken
  await waitFor(async () => {
    const gone = { ...asked, query: { force: true }, fine: [404] }
    await docker.ask('DELETE', `/containers/${name}`, gone)
    const renamed = { ...asked, query: { name }, fine: [409, 500] }
    await docker.ask('POST', `/containers/${id}/rename`, renamed)
    const { body: found } = await docker.ask('GET', `/containers/${id}/json`, asked)
    return JSON.parse(JSON.stringify(found)).Name === `/${name}`
  })
  await docker.ask('POST', `/containers/${name}/start`, asked)
}

onBothEngines('what runs and what was declared', async (bench) => {
  const { t, engine, docker, served, call, inside } = bench
  await t.test('what was removed while the service was down is back after its start', async () => {
    const app = await served('down', { 'down/compose.yaml': checkedStack() })
    await app.until(isWell)
    await app.restart(() => call('/containers/down-web-1', 'DELETE'))
    const back = await app.until(isWell)
    assert.deepEqual(back.containers, { running: 1, total: 1 })
    assert.equal(back.lastRun?.trigger, 'drift')
  })

  await t.test('one that was paused or renamed by hand is said, and as it was again', async () => {
    const app = await served('hands', { 'hands/compose.yaml': checkedStack() })
    await app.until(isWell)
    const asked = { signal: never, doing: 'by hand' }
    const { body: before } = await docker.ask('GET', '/containers/hands-web-1/json', asked)
    await call('/containers/hands-web-1/pause')
    await app.until((status) => !isWell(status))
    await app.until(isWell)
    const renamed = { ...asked, query: { name: 'other' } }
    await docker.ask('POST', '/containers/hands-web-1/rename', renamed)
    await app.until((status) => !isWell(status))
    await app.until(isWell)
    const { body: after } = await docker.ask('GET', '/containers/hands-web-1/json', asked)
    const idOf = (found: unknown): unknown => JSON.parse(JSON.stringify(found)).Id
    assert.equal(idOf(after), idOf(before), 'neither takes a new container')
  })

  await t.test('the health check of an image is run, also where only the service can', async () => {
    const built = `services:
  web:
    build:
      context: .
      dockerfile_inline: |
        FROM ${busybox}
        HEALTHCHECK --interval=1s --timeout=2s --retries=2 CMD test -e /tmp/well
    command: sh -c "touch /tmp/well; sleep 1000"
    stop_grace_period: 0s
`
    const app = await served('image', { 'image/compose.yaml': built }, { health: 'alert' })
    await app.until(isWell)
    await inside('image-web-1', 'rm /tmp/well')
    const sick = await app.until(({ health }) => health.state === 'failed')
    assert.match(sick.health.reason, /its health check failed/)
    await inside('image-web-1', 'touch /tmp/well')
    await app.until(isWell)
  })

  await t.test(
    'a limit that was changed while the service was down is put right',
    { skip: engine === 'Podman' && 'it lets nobody change one by this API' },
    async () => {
      const limited = checkedStack().replace('    restart:', '    pids_limit: 100\n    restart:')
      const app = await served('limit', { 'limit/compose.yaml': limited })
      await app.until(isWell)
      const update = (body: object): Promise<unknown> => {
        const asked = { signal: never, doing: 'as docker update', body: { ...body } }
        return docker.ask('POST', '/containers/limit-web-1/update', asked)
      }
      // as docker update --pids-limit -1
      await app.restart(async () => void (await update({ PidsLimit: -1 })))
      const back = await app.until((one) => isWell(one) && one.lastRun?.trigger === 'drift')
      assert.match(app.service().lines.join('\n'), /pids_limit is -1 on the container/)
      assert.deepEqual(back.containers, { running: 1, total: 1 })
    },
  )

  await t.test('flagged only: it is missing and failed, and says so', async () => {
    const app = await served('flag', { 'flag/compose.yaml': checkedStack() }, { drift: 'flag' })
    await app.until(isWell)
    await app.restart(() => call('/containers/flag-web-1', 'DELETE'))
    const gone = await app.until(({ health }) => health.state === 'failed')
    assert.equal(gone.sync.state, 'missing')
    assert.equal(gone.health.reason, 'container/web-1: it does not exist')
    assert.equal(gone.needsAcknowledgement, true)
  })

  await t.test(
    'docker compose up in its place is told, and it is back when that is gone',
    async () => {
      const app = await served('over', { 'over/compose.yaml': checkedStack() })
      await app.until(isWell)
      await composeUp(docker, 'over')
      // at first it is failed because nothing runs, then because somebody is in the way
      const told = await app.until(
        ({ state, reason }) =>
          state === 'failed' &&
          /over-web-1.*(is there already of Compose project over|is already in use)/.test(reason),
      )
      assert.equal(told.sync.state, 'missing')
      assert.equal(told.health.state, 'failed')
      await call('/containers/over-web-1', 'DELETE')
      const back = await app.until(isWell)
      assert.deepEqual(back.containers, { running: 1, total: 1 })
    },
  )

  await t.test('the same while the service is down, and through its next starts', async () => {
    const app = await served('twice', { 'twice/compose.yaml': checkedStack() })
    await app.until(isWell)
    await app.restart(() => composeUp(docker, 'twice'))
    await app.until(({ state, sync }) => state === 'failed' && sync.state === 'missing')
    await app.restart(() => call('/containers/twice-web-1', 'DELETE'))
    await app.until(isWell)
  })

  await t.test(
    'a first sync that somebody was in the way of is tried again by itself',
    async () => {
      const asked = { signal: never, doing: 'in the way' }
      const body = { Image: busybox, Cmd: ['sleep', '1000'] }
      await docker.ask('POST', '/containers/create', {
        ...asked,
        query: { name: 'first-web-1' },
        body,
      })
      const app = await served('first', { 'first/compose.yaml': checkedStack() })
      await app.until(({ state, reason }) => state === 'failed' && /is there already/.test(reason))
      await call('/containers/first-web-1', 'DELETE')
      await app.until(isWell)
    },
  )
})
