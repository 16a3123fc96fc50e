/** A name that somebody else takes between our look and our call: what has it then is never started, stopped, moved or removed by a stack. */
import assert from 'node:assert/strict'
import { dockerAt } from '#clients/docker/client.ts'
import { renameContainer } from '#clients/docker/containers.ts'
import { restartThrough } from '#kinds/containers/restart.ts'
import { busybox } from '../testbed/image.ts'
import type { Call } from '../testbed/proxy.ts'
import { callsByName, takeAt, takeObjectAt } from '../testbed/taken-name.ts'
import { driverOptions, onBothEngines, succeeded } from './stack-bench.ts'

const { signal } = new AbortController()
const quick = `image: ${busybox}\n    command: sleep 1000\n    stop_grace_period: 0s`

onBothEngines(async ({ t, stack, proxy, socket }) => {
  const docker = dockerAt({ address: `unix://${socket}` })
  t.after(() => docker.close())
  const isStart = ({ path }: { readonly path: string }) => /\/containers\/[^/]+\/start/.test(path)

  await t.test('a first start', async (own) => {
    const driver = stack(own, 'first')
    const thief = takeAt(proxy, docker, isStart, () => 'first-web-1')
    own.after(() => thief.leave())
    const told = await driver.up(`services:\n  web:\n    ${quick}\n`)
    assert.equal(told.end.outcome, 'failed')
    assert.match(told.problems.map(({ message }) => message).join('\n'), /first-web-1/)
    await thief.assertUntouched()
  })

  await t.test('one that is replaced in place', async (own) => {
    const driver = stack(own, 'place')
    const yaml = (level: string) => `
services:
  web:
    ${quick}
    environment: { LEVEL: ${level} }
    volumes: ["data:/data"]
volumes: { data: }
`
    succeeded(await driver.up(yaml('one')))
    const thief = takeAt(proxy, docker, isStart, () => 'place-web-1')
    own.after(() => thief.leave())
    const told = await driver.up(yaml('two'))
    assert.notEqual(told.end.outcome, 'succeeded')
    await thief.assertUntouched()
  })

  await t.test('one that stands beside its old self', async (own) => {
    const driver = stack(own, 'beside')
    const yaml = (level: string) => `
services:
  web:
    ${quick}
    environment: { LEVEL: ${level} }
`
    succeeded(await driver.up(yaml('one')))
    const isTakenOff = ({ path }: { readonly path: string }) => path.includes('/disconnect')
    const next = async () => {
      const found = (await driver.containers()).find(({ name }) => name !== 'beside-web-1')
      return found?.name ?? ''
    }
    const thief = takeAt(proxy, docker, isTakenOff, next, 'beside_default')
    own.after(() => thief.leave())
    const told = await driver.up(yaml('two'))
    assert.notEqual(told.end.outcome, 'succeeded')
    await thief.assertUntouched()
  })

  await t.test('one that is restarted because it is not well', async (own) => {
    const driver = stack(own, 'unwell')
    succeeded(await driver.up(`services:\n  web:\n    ${quick}\n`))
    const name = 'unwell-web-1'
    const { [name]: id = '' } = await driver.ids()
    const isRestart = ({ path }: { readonly path: string }) => path.includes('/restart')
    const thief = takeAt(proxy, docker, isRestart, () => name)
    own.after(() => thief.leave())
    const wish = { owner: 'test', declared: undefined, signal, warn() {} }
    await assert.rejects(restartThrough(driver.target, { id, name }, wish), /unwell-web-1/)
    await thief.assertUntouched()
  })

  await t.test('a network that is to go', async (own) => {
    const driver = stack(own, 'left')
    const networks = 'networks: { default: , back: }'
    succeeded(
      await driver.up(
        `services:\n  web:\n    ${quick}\n    networks: [default, back]\n${networks}\n`,
      ),
    )
    const isLook = ({ path }: Call) => path.endsWith('/networks/left_back')
    const thief = takeObjectAt(proxy, docker, isLook, 'networks', 'left_back')
    own.after(() => thief.leave())
    succeeded(await driver.up(`services:\n  web:\n    ${quick}\n`))
    await thief.assertUntouched()
  })

  await t.test('a volume that is to go', async (own) => {
    const driver = stack(own, 'data')
    const volumes = 'volumes: ["data:/data"]\nvolumes: { data: }'
    succeeded(await driver.up(`services:\n  web:\n    ${quick}\n    ${volumes}\n`))
    const isLook = ({ path }: Call) => path.endsWith('/volumes/data_data')
    const thief = takeObjectAt(proxy, docker, isLook, 'volumes', 'data_data')
    own.after(() => thief.leave())
    succeeded(await driver.down({ options: { ...driverOptions, pruneVolumes: true } }))
    await thief.assertUntouched()
  })

  await t.test('no call that changes a container says which by its name', async (own) => {
    const driver = stack(own, 'calls')
    proxy.reset()
    const yaml = (level: string) => `
services:
  web:
    ${quick}
    environment: { LEVEL: ${level} }
    networks: [default, back]
    healthcheck: { test: ["CMD", "true"], interval: 1s }
    post_start: [{ command: ["true"] }]
    pre_stop: [{ command: ["true"] }]
  db:
    ${quick}
    environment: { LEVEL: ${level} }
    volumes: ["data:/data"]
    configs: [site]
volumes: { data: }
networks: { back: { labels: { level: ${level} } } }
configs: { site: { content: "${level}" } }
`
    succeeded(await driver.up(yaml('one')))
    const { 'calls-web-1': web = '', 'calls-db-1': db = '' } = await driver.ids()
    await docker.ask('POST', `/containers/${db}/pause`, { signal, doing: 'pause it' })
    await renameContainer(docker, web, 'otherwise', signal)
    succeeded(await driver.up(yaml('one')))
    succeeded(await driver.up(yaml('two')))
    succeeded(await driver.down())
    assert.ok(proxy.writes().length > 20)
    assert.deepEqual(callsByName(proxy.calls()), [])
  })
})
