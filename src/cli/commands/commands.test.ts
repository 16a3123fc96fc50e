import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { isRecord } from '#model/json.ts'
import { commandLine, type CommandLine } from '../../../test/fake/command-line.ts'

const opened: CommandLine[] = []
after(() => {
  for (const line of opened) line.remove()
})

function fresh(environment: Record<string, string> = {}): CommandLine {
  const line = commandLine(environment)
  opened.push(line)
  return line
}

function documentOf(text: string): { readonly [key: string]: unknown } {
  const document: unknown = JSON.parse(text)
  assert.ok(isRecord<unknown>(document))
  return document
}

const shop = {
  'network/front': {},
  'container/db': { image: 'db:1', needs: ['network/front'] },
  'container/web': { image: 'web:%tag%', needs: ['network/front'] },
}

test('install, again, edit, plan, upgrade, history, rollback, uninstall', async () => {
  const { tend, chart, world } = fresh()
  const path = chart('shop', shop)
  const first = await tend(`install ${path} --set tag=1`)
  assert.equal(first.code, 0, first.err)
  assert.match(first.out, /^Installing chart: .*shop\nChart name: shop\n/)
  assert.match(first.out, /Resources: 3 created, 0 updated, 0 deleted/)

  const calls = world.calls.length
  const again = await tend(`install ${path}`)
  assert.match(again.out, /0 created, 0 updated, 0 deleted, 3 unchanged/)
  assert.equal(world.calls.length, calls, 'the values of the last run are used again')

  chart('shop', { ...shop, 'container/web': { image: 'web:2' } }, '1.1.0')
  const plan = await tend('plan shop --exit-code')
  assert.equal(plan.code, 3)
  assert.match(plan.out, /~ web +will be updated\n    - spec: /)
  assert.match(plan.out, /Why: spec/)
  assert.match(plan.out, /Apply with: tend upgrade shop\n$/)

  const upgraded = await tend('upgrade shop -o json')
  const document = documentOf(upgraded.out)
  assert.equal(upgraded.code, 0)
  assert.equal(document['status'], 'succeeded')
  assert.equal(document['run'], 2)
  assert.equal(document['version'], '1.1.0')

  const history = await tend('history shop')
  assert.equal(history.out.split('\n').length, 4)
  const back = await tend('rollback shop')
  assert.equal(back.code, 0, back.err)
  assert.match(back.out, /^Rolling back chart: shop to run 1\n/)
  assert.match(JSON.stringify(world.things.get('container/web')), /web:1/)
  const forth = await tend('rollback shop')
  assert.match(forth.out, /to run 2\n/, 'and forth again')

  const gone = await tend('uninstall shop')
  assert.match(gone.out, /Resources: 0 created, 0 updated, 3 deleted/)
  assert.equal(world.things.size, 0)
  assert.equal((await tend('status shop')).code, 2)
  assert.match((await tend('uninstall shop')).err, /no chart named "shop" is installed/)
  assert.equal((await tend('history shop')).code, 0, 'that it went is history too')
})

test('values given now stand alone, and none given means those of the last good run', async () => {
  const { tend, chart, world } = fresh()
  const path = chart('shop', shop)
  await tend(`install ${path} --set tag=1`)
  const web = (): string => JSON.stringify(world.things.get('container/web'))
  await tend(`upgrade shop --set tag=2`)
  assert.match(web(), /web:2/)
  await tend('upgrade shop')
  assert.match(web(), /web:2/)
  await tend('upgrade shop --reset-values')
  assert.match(web(), /web:%tag%/)
})

test('what was rendered once is not rendered again, until something that it depends on changes', async () => {
  const { tend, chart, renders } = fresh()
  const path = chart('shop', shop)
  await tend(`install ${path} --set tag=1`)
  assert.equal(renders(), 1)
  await tend('upgrade shop')
  await tend('plan shop')
  assert.equal(renders(), 1)
  await tend('plan shop --set tag=2')
  assert.equal(renders(), 2)
  chart('shop', { 'container/web': { image: 'web:3' } })
  assert.match((await tend('upgrade shop')).out, /1 updated, 2 deleted/)
  assert.equal(renders(), 3)
  await tend('rollback shop')
  assert.match((await tend('plan shop')).out, /1 update, 2 delete/)
  await tend('lint shop')
  assert.equal(renders(), 5)
})

test('an unhealthy upgrade goes back, says to which run, and its log is kept', async () => {
  const { tend, chart } = fresh()
  const path = chart('shop', { 'container/web': { image: 'web:1' } })
  await tend(`install ${path}`)
  chart('shop', { 'container/web': { image: 'web:2', isUnhealthy: true } })
  const failed = await tend('upgrade shop')
  assert.equal(failed.code, 1)
  assert.match(failed.out, /✗ web +failed\n    Error: not healthy after 0.0s: it answered 500/)
  assert.match(failed.out, /Suggestion: Look at the logs with: tend logs shop web --run 2/)
  assert.match(failed.out, /~ web +put back to run 1/)
  assert.match(failed.out, /Rolled back: everything runs as after run 1/)
  const document = documentOf((await tend('upgrade shop -o json')).out)
  assert.equal(document['rolledBackTo'], 1)
  const none = await tend('logs shop web --run 1')
  assert.match(none.err, /run 1 of shop kept no log of web/)
})

test('bad input is told with its place; the rest goes on', async () => {
  const { tend, chart } = fresh()
  const path = chart('shop', {
    'network/a': {},
    'container/web': { wrong: 'spec.x: unknown field' },
  })
  const result = await tend(`install ${path}`)
  assert.equal(result.code, 1)
  assert.match(result.out, /✗ resources.json:1:1 spec.x: unknown field/)
  assert.match(result.out, /1 problem in 1 file. web was not created./)
  assert.match(result.out, /✓ a +created/)
  const unreadable = await tend(`install ${chart('other', '{')}`)
  assert.equal(unreadable.code, 2)
  assert.match(unreadable.out, /\nNothing was changed.\n$/)
  const lint = await tend(`lint ${path}`)
  assert.equal(lint.code, 1)
  assert.match(lint.out, /1 problem in 1 file.\n$/)
  assert.match((await tend(`lint ${chart('good', shop)}`)).out, /3 resources, no problems/)
})

test('what is not a chart, what is not installed', async () => {
  const { tend, chart, folder } = fresh()
  const missing = await tend(`install ${folder}/nowhere -o json`)
  assert.equal(missing.code, 2)
  const [error] = Object.values(documentOf(missing.out)['errors'] ?? {})
  assert.match(JSON.stringify(error), /there is no folder/)
  chart('shop', shop)
  const parent = await tend(`install ${folder}`)
  assert.equal(parent.code, 2)
  assert.match(
    parent.err,
    /is not a chart: it has no Chart.yaml\n    Suggestion: did you mean .*shop\?/,
  )
  assert.match((await tend('status sop')).err, /nothing is installed yet; begin with/)
  await tend(`install ${join(folder, 'shop')} --set tag=1`)
  const typo = await tend('status sop')
  assert.equal(typo.code, 2)
  assert.match(typo.err, /Suggestion: did you mean shop\? installed: shop/)
  writeFileSync(join(folder, 'shop/Chart.yaml'), 'version: 1.0.0\n')
  const nameless = await tend(`upgrade ${join(folder, 'shop')}`)
  assert.equal(nameless.code, 2)
  assert.match(nameless.out, /Chart.yaml does not say the name of the chart/)
})

test('status and list tell what drifted', async () => {
  const { tend, chart, world } = fresh()
  await tend(`install ${chart('shop', shop)} --set tag=1`)
  const well = await tend('status shop')
  assert.equal(well.code, 0, well.out)
  assert.match(well.out, /^shop 1.0.0   healthy   run 1, /)
  assert.match(well.out, /Networks: 1 ok\n$/)
  const web = world.things.get('container/web')!
  world.things.set('container/web', { ...web, state: 'stopped' })
  world.things.delete('container/db')
  const drifted = await tend('status shop')
  assert.equal(drifted.code, 1)
  assert.match(drifted.out, /~ web +drifted +left by a run/)
  assert.match(drifted.out, /✗ db +missing +it does not exist/)
  assert.match((await tend('list')).out, /shop +- +1.0.0 +1 +degraded/)
  const listed = documentOf((await tend('list -o json')).out)
  assert.equal(Object.values(listed['charts'] ?? {}).length, 1)
  const back = await tend('reinit')
  assert.equal(back.code, 0)
  assert.equal((await tend('status shop -o yaml')).out.split('\n')[3], 'status: healthy')
})

test('watch repairs what drifts, and leaves when it is told to', async () => {
  const { tend, chart, world } = fresh()
  await tend(`install ${chart('shop', shop)} --set tag=1`)
  world.things.delete('container/db')
  const stop = new AbortController()
  const watching = tend('watch shop --interval 20ms', stop.signal)
  for (let tries = 0; tries < 200 && !world.things.has('container/db'); tries++) {
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  await new Promise((resolve) => setTimeout(resolve, 50))
  stop.abort()
  const watched = await watching
  assert.ok(world.things.has('container/db'))
  assert.match(watched.out, /✓ shop: Container db repaired: it does not exist/)
})

test('logs, templates, schemas, completions, the unit', async () => {
  const { tend, chart } = fresh()
  const path = chart('shop', shop)
  await tend(`install ${path} --set tag=1`)
  assert.equal((await tend('logs shop web')).out, 'web says one\nweb says two\n')
  assert.equal((await tend('logs shop web --tail 1')).out, 'web says two\n')
  assert.match((await tend('logs shop wbe')).err, /did you mean web\?/)
  assert.match(
    (await tend(`template ${path} --set tag=7`)).out,
    /^---\n# Source: resources.json\n.*web:7/,
  )
  assert.equal(documentOf((await tend('schema CuteVolume')).out)['title'], 'CuteVolume')
  const declarations = documentOf((await tend('schema tend.yaml')).out)
  assert.equal(declarations['title'], 'tend.yaml')
  assert.deepEqual(
    ['apps', 'discover', 'sources'].filter(
      (key) => !JSON.stringify(declarations).includes(`"${key}"`),
    ),
    [],
  )
  assert.match((await tend('schema tend.yml')).err, /did you mean tend\.yaml\?/)
  assert.match((await tend('schema CuteVolum')).err, /did you mean CuteVolume\?/)
  assert.match((await tend('completion bash')).out, /complete -F _tend tend cutepod/)
  const unit = (await tend('reinit --install --print --target unix:///run/p.sock')).out
  assert.match(unit, /ExecStart="\/opt\/tend\/bin\/tend" reinit/)
  assert.match(unit, /Environment="CONTAINER_HOST=unix:\/\/\/run\/p.sock"/)
})

test('an interrupted command says so and exits 130', async () => {
  const { tend, chart } = fresh()
  const stop = new AbortController()
  stop.abort()
  const result = await tend(`install ${chart('shop', shop)} -o json`, stop.signal)
  assert.equal(result.code, 130)
  assert.equal(documentOf(result.out)['status'], 'interrupted')
})
