/** A chart of which one document is wrong: that is said, the rest goes on, and a commit that only takes the mistake away is applied. */
import assert from 'node:assert/strict'
import { busybox } from '../testbed/image.ts'
import { isWell, onBothEngines } from './health-bench.ts'

function container(name: string, greeting: string, more = ''): string {
  return `apiVersion: cutepod/v1alpha0
kind: CuteContainer
metadata: { name: ${name} }
spec:
  image: ${busybox}
  command: [sleep, "1000"]
  stopTimeoutSeconds: 0
  env: [{ name: GREETING, value: ${greeting} }]
${more}`
}

function chart(web: string, other: string): Readonly<Record<string, string>> {
  return {
    'site/Chart.yaml': 'name: site\nversion: 1.0.0\n',
    'site/templates/web.yaml': web,
    'site/templates/other.yaml': other,
  }
}

onBothEngines('a chart with a mistake', async ({ t, engine, docker, served }) => {
  // charts run on Podman only
  if (engine === 'Docker') return
  const signal = new AbortController().signal

  async function greetingOf(name: string): Promise<string> {
    const { body } = await docker.ask('GET', `/containers/${name}/json`, { signal, doing: name })
    const { Env: variables } = JSON.parse(JSON.stringify(body)).Config
    return variables.find((line: string) => line.startsWith('GREETING=')).slice('GREETING='.length)
  }

  const app = await served('site', chart(container('web', 'a'), container('other', 'a')))
  await app.until(isWell)
  const push = (files: Readonly<Record<string, string>>): void => {
    app.repo.commit(files)
    app.service().refresh()
  }

  await t.test('that changes nothing else is said, with its place', async () => {
    push(chart(container('web', 'a', '  surplus: 1\n'), container('other', 'a')))
    const { reason } = await app.until(({ state }) => state === 'failed')
    assert.match(reason, /site\/templates\/web.yaml:9:3: spec.surplus: unknown field/)
  })

  await t.test('that is taken away is forgotten', async () => {
    push(chart(container('web', 'a'), container('other', 'a')))
    await app.until(isWell)
  })

  await t.test('in one document lets the rest of its commit be applied', async () => {
    push(chart(container('web', 'b', '  surplus: 1\n'), container('other', 'b')))
    await app.until(({ state }) => state === 'failed')
    assert.deepEqual([await greetingOf('web'), await greetingOf('other')], ['a', 'b'])
  })

  await t.test('that only is taken away lets that document be applied too', async () => {
    push(chart(container('web', 'b'), container('other', 'b')))
    await app.until(isWell)
    assert.deepEqual([await greetingOf('web'), await greetingOf('other')], ['b', 'b'])
  })

  await t.test('goes with the rest of its commit when that is taken back', async () => {
    push(chart(container('web', 'c', '  surplus: 1\n'), container('other', 'c')))
    await app.until(({ state }) => state === 'failed')
    assert.deepEqual([await greetingOf('web'), await greetingOf('other')], ['b', 'c'])
    push(chart(container('web', 'b'), container('other', 'b')))
    await app.until(({ synced, state }) => state === 'synced' && synced !== undefined)
    await app.until(isWell)
    assert.deepEqual([await greetingOf('web'), await greetingOf('other')], ['b', 'b'])
  })
})
