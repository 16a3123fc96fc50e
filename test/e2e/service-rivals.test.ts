/** Two services with one instance name and an application of the same name: one has it, the other one says so and leaves it. */
import assert from 'node:assert/strict'
import { defined } from '#model/defined.ts'
import {
  checkedChart,
  checkedStack,
  isWell,
  onBothEngines,
  type Application,
} from './health-bench.ts'

onBothEngines('two services of one name', async ({ t, engine, docker, served }) => {
  const signal = new AbortController().signal

  async function greetingOf(container: string): Promise<string | undefined> {
    const path = `/containers/${container}/json`
    const { body } = await docker.ask('GET', path, { signal, doing: container })
    const { Env: variables } = JSON.parse(JSON.stringify(body)).Config
    const line = variables.find((one: string) => one.startsWith('GREETING='))
    return line?.slice('GREETING='.length)
  }

  async function meet(
    key: string,
    container: string,
    begin: (greeting: string) => Promise<Application>,
  ): Promise<void> {
    const isLeft = /another service with the instance name test-\S+ changed container\//
    const first = await begin('first')
    await first.until(isWell)
    const second = await begin('second')
    const says = (one: Application) => one.until(({ reason }) => isLeft.test(reason))
    // as a rule the first one; on a busy machine it may have begun to put right what it saw going
    const left = await Promise.any([first, second].map((one) => says(one).then(() => one)))
    const [has, own, others] =
      left === first ? [second, 'first', 'second'] : [first, 'second', 'first']
    await has.until(isWell)
    const told = await says(left)
    assert.match(told.reason, /TEND_INSTANCE; tend sync \w+ takes it back/)
    assert.equal(told.sync.state, 'drifted')
    assert.equal(await greetingOf(container), others)
    const before = await left.service().runs(key)
    left.service().refresh()
    assert.equal((await left.service().runs(key)).length, before.length)

    const { outcome } = await left.service().sync(key)
    assert.equal(outcome, 'succeeded')
    await says(has)
    await left.until(isWell)
    assert.equal(await greetingOf(container), own)
  }

  await t.test('a stack', () =>
    meet('stack:web', 'web-web-1', (greeting) =>
      served('web', { 'web/compose.yaml': checkedStack(greeting) }),
    ),
  )

  if (engine === 'Docker') return
  await t.test('a chart', () =>
    meet('chart:site', 'web', (greeting) => {
      const file = 'site/templates/web.yaml'
      const text = `${defined(checkedChart[file])}  env: [{ name: GREETING, value: ${greeting} }]\n`
      return served('site', { ...checkedChart, [file]: text })
    }),
  )
})
