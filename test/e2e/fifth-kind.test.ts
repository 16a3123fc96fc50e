/** A fifth kind of application goes through the untouched product: installed, planned, served from Git, repaired, rolled back. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gitBench, type Bench } from '../testbed/git.ts'
import { required } from '../testbed/packages.ts'
import { servingOn, waitFor, type Serving } from '../testbed/serving.ts'
import { withFilesKind, type Product } from '../testbed/with-files-kind.ts'

const skip = required('git')
const key = 'fileset:site'

test('a fifth kind is a folder in domains/, a file in kinds/ and a line', { skip }, async (t) => {
  let product: Product
  let git: Bench
  let serving: Serving
  let place: string
  before(async () => {
    product = withFilesKind()
    git = gitBench()
    git.commit('first', { 'site/page.txt': 'one', 'site/secret-word': 'hush' })
    serving = await servingOn({}, product.program)
    place = join(serving.folder, 'kept')
    declare(true)
    await serving.start()
  })
  after(async () => {
    await serving?.remove()
    git?.remove()
    product?.remove()
  })

  function declare(isSuspended: boolean): void {
    serving.declare(`
sources: { infra: { git: "${git.bare}", ref: main } }
apps:
  - { fileset: site, path: site, target: "${place}", interval: off, suspended: ${isSuspended} }
`)
  }

  function kept(name: string): string | undefined {
    const path = join(place, name)
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined
  }

  await t.test('planned before anything is there', async () => {
    await serving.until(key, ({ state, desired }) => {
      return state === 'suspended' && desired !== undefined
    })
    const plan = await (await serving.api(`/api/v1/apps/${encodeURIComponent(key)}/plan`)).text()
    assert.match(plan, /file\/page\.txt/)
    assert.ok(!plan.includes('hush'), 'the plan holds the secret')
    assert.equal(kept('page.txt'), undefined)
  })

  await t.test('served from Git, and listed by the API', async () => {
    declare(false)
    serving.signal('SIGHUP')
    const synced = await serving.until(key, ({ state }) => state === 'synced')
    assert.equal(synced.application.kind, 'fileset')
    assert.deepEqual([kept('page.txt'), kept('secret-word')], ['one', 'hush'])
    assert.match((await serving.tend('get apps')).out, /^site +fileset +/m)
  })

  await t.test('what others change is repaired', async () => {
    writeFileSync(join(place, 'page.txt'), 'by hand')
    await waitFor(() => kept('page.txt') === 'one')
    const repaired = await serving.until(key, ({ state }) => state === 'synced')
    assert.equal(repaired.lastRun?.trigger, 'drift')
  })

  await t.test('a commit comes, and a rollback goes back', async () => {
    git.commit('second', { 'site/page.txt': 'two', 'site/more.txt': 'more' })
    const synced = await serving.tend(`sync ${key}`)
    assert.equal(synced.code, 0, synced.err)
    await waitFor(() => kept('page.txt') === 'two' && kept('more.txt') === 'more')
    await serving.until(
      key,
      ({ state, synced: now }) => state === 'synced' && now?.message === 'second',
    )
    const back = await serving.tend(`rollback ${key}`)
    assert.equal(back.code, 0, back.err)
    assert.deepEqual([kept('page.txt'), kept('more.txt')], ['one', undefined])
  })

  await t.test('history shows each run with what began it', async () => {
    const shown = await serving.tend(`history ${key} -o json`)
    assert.equal(shown.code, 0, shown.err)
    const { runs } = JSON.parse(shown.out)
    const triggers = runs.map(({ trigger }: { readonly trigger: string }) => trigger)
    assert.equal(triggers[0], 'rollback')
    assert.ok(triggers.includes('drift'), triggers.join(', '))
    assert.ok(!shown.out.includes('hush'))
  })

  await t.test('installed by hand, planned, and rolled back without the service', async () => {
    const home = join(serving.folder, 'own-home')
    const [folder, there] = [join(serving.folder, 'notes'), join(serving.folder, 'there')]
    const tend = (line: string) => serving.tend(`${line} --target ${there}`, { TEND_HOME: home })
    mkdirSync(folder)
    writeFileSync(join(folder, 'fileset.yaml'), '')
    writeFileSync(join(folder, 'note.txt'), 'one')
    const planned = await tend(`plan ${folder} --exit-code`)
    assert.equal(planned.code, 3, planned.err)
    assert.ok(!existsSync(there), 'a plan changes nothing')
    assert.match((await tend(`install ${folder}`)).out, /2 created/)
    assert.equal(readFileSync(join(there, 'note.txt'), 'utf8'), 'one')
    assert.match((await tend(`install ${folder}`)).out, /2 unchanged/)
    writeFileSync(join(folder, 'note.txt'), 'two')
    assert.match((await tend(`install ${folder}`)).out, /1 updated/)
    const back = await tend('rollback notes')
    assert.equal(back.code, 0, back.err)
    assert.equal(readFileSync(join(there, 'note.txt'), 'utf8'), 'one')
    const told = await serving.tend('history notes', { TEND_HOME: home })
    assert.match(told.out, /rollback/)
    assert.match((await tend('status notes')).out, /healthy/)
  })
})
