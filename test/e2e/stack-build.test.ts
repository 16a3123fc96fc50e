/** Images that are built: once, again when their context changes, and only for those who use them. */
import assert from 'node:assert/strict'
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { busybox } from '../testbed/image.ts'
import { onBothEngines, succeeded } from './stack-bench.ts'

function list(folder: string): readonly string[] {
  return globSync('**/*', { cwd: folder })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
}

onBothEngines(async ({ t, proxy, stack }) => {
  await t.test('built, left alone, built again', async (own) => {
    const driver = stack(own, 'built')
    const yaml = (arg: string) => `
services:
  app:
    build: { context: ./app, args: { GREETING: ${arg} } }
    command: sleep 1000
    stop_grace_period: 0s
  inline:
    build: { context: ./app, dockerfile_inline: "FROM ${busybox}\\nCOPY hello.txt /inline.txt\\n" }
    command: sleep 1000
    stop_grace_period: 0s
  other: { image: ${busybox}, command: sleep 1000, stop_grace_period: 0s }
`
    driver.write({
      'app/Dockerfile': `FROM ${busybox}\nARG GREETING\nCOPY hello.txt /hello.txt\nCOPY . /all\nRUN echo $GREETING > /greeting\n`,
      'app/hello.txt': 'one\n',
      'app/.dockerignore': 'ignored.txt\n',
      'app/ignored.txt': 'x',
    })
    const how = { input: { list } }
    succeeded(await driver.up(yaml('hi'), how))
    assert.equal(await driver.inside('built-app-1', 'cat', '/hello.txt', '/greeting'), 'one\nhi')
    assert.equal(await driver.inside('built-inline-1', 'cat', '/inline.txt'), 'one')
    assert.doesNotMatch(await driver.inside('built-app-1', 'ls', '/all'), /ignored/)
    proxy.reset()
    succeeded(await driver.up(yaml('hi'), how))
    assert.deepEqual(proxy.writes(), [])
    driver.write({ 'app/ignored.txt': 'y' })
    succeeded(await driver.up(yaml('hi'), how))
    assert.deepEqual(proxy.writes(), [])
    const before = await driver.ids()
    driver.write({ 'app/hello.txt': 'two\n' })
    const run = succeeded(await driver.up(yaml('hi'), how))
    assert.match(run.text, /replace container\/app-1: build.hash changed/)
    assert.equal(await driver.inside('built-app-1', 'cat', '/hello.txt'), 'two')
    assert.equal((await driver.ids())['built-other-1'], before['built-other-1'])
    succeeded(await driver.up(yaml('ho'), how))
    assert.equal(await driver.inside('built-app-1', 'cat', '/greeting'), 'ho')
    driver.write({ 'app/Dockerfile': `FROM ${busybox}\nRUN echo this goes wrong; exit 7\n` })
    const failed = await driver.up(yaml('ho'), how)
    assert.equal(failed.end.outcome, 'failed')
    assert.match(JSON.stringify(failed.events), /this goes wrong/)
    assert.equal(await driver.inside('built-app-1', 'cat', '/greeting'), 'ho')
  })
})
