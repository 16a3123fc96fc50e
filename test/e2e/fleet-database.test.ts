/** A database that can't be used: locked, read-only, corrupt, gone, half of one. Told with code 2, and nothing is touched. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, test } from 'node:test'
import { fleetBench, type FleetBench } from '../testbed/fleet.ts'
import { tendProgram } from '../testbed/program.ts'

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end()
})

async function bench(): Promise<FleetBench> {
  const made = await fleetBench()
  endings.push(() => made.close())
  await made.fleet('init')
  made.sql("insert into clusters (name, provider, http_port) values ('dev', 'k3d', 20001)")
  return made
}

test('a database that another program holds is waited for, then told; nothing was made', async () => {
  const { fleet, database, standing, calls } = await bench()
  const holder = new DatabaseSync(database)
  holder.exec('begin exclusive')
  const told = await fleet('reconcile --from-db')
  assert.equal(told.code, 2, told.out + told.err)
  assert.match(told.err, /fleet\.db/)
  assert.match(told.err, /lock|busy|another/i)
  assert.deepEqual([standing(), calls()], [[], []])
  assert.equal((await fleet('verify')).code, 1)
  holder.exec('rollback')
  holder.close()
  assert.equal((await fleet('reconcile --from-db')).code, 0)
  assert.deepEqual(standing(), ['dev'])
})

test('a database that can only be read: told before anything is made; what only looks works', async () => {
  const { folder, database, fleet, standing } = await bench()
  const place = join(folder, 'readonly')
  mkdirSync(place)
  for (const end of ['', '-wal', '-shm']) {
    try {
      renameSync(`${database}${end}`, join(place, `fleet.db${end}`))
    } catch {
      // there is none of these once all is written
    }
  }
  const file = join(place, 'fleet.db')
  const run = (words: string): { readonly code: number | null; readonly text: string } => {
    const line = `${resolve(tendProgram())} fleet ${words} --db ${file}`
    const mounted = `mount --bind ${place} ${place} && mount -o remount,bind,ro ${place} && ${line}`
    const isRoot = process.getuid?.() === 0
    if (!isRoot) {
      chmodSync(file, 0o400)
      chmodSync(place, 0o500)
    }
    const env = {
      ...process.env,
      TEND_HOME: join(folder, 'home'),
      PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
      K3D_STAND_IN: join(folder, 'k3d'),
    }
    const [program, args] = isRoot ? ['unshare', ['-m', 'sh', '-c', mounted]] : ['sh', ['-c', line]]
    const { status, stdout, stderr } = spawnSync(program!, args as string[], {
      env,
      encoding: 'utf8',
    })
    if (!isRoot) chmodSync(place, 0o700)
    return { code: status, text: `${stdout}${stderr}` }
  }
  const told = run('reconcile --from-db')
  assert.equal(told.code, 2, told.text)
  assert.match(told.text, /read-?only|written/i)
  assert.deepEqual(standing(), [])
  const looked = run('list')
  assert.equal(looked.code, 0, looked.text)
  assert.match(looked.text, /dev/)
  assert.equal((await fleet('list')).code, 2, 'the one that was moved away is not there')
})

test('a corrupt database, half of one and another kind of file: told, and left as they are', async () => {
  const { fleet, database, standing, sql } = await bench()
  const whole = readFileSync(database)
  rmSync(`${database}-wal`, { force: true })
  rmSync(`${database}-shm`, { force: true })
  const half = Buffer.from(whole)
  half.fill(0x5a, 100, half.length)
  for (const content of [half, Buffer.from('this is no database at all, only text\n'.repeat(40))]) {
    writeFileSync(database, content)
    for (const [line, code] of [
      ['reconcile --from-db', 2],
      ['reconcile --prune-missing', 2],
      ['clean --all', 2],
      ['verify', 1],
      ['list', 2],
    ] as const) {
      const told = await fleet(line)
      assert.equal(told.code, code, `${line}: ${told.out}${told.err}`)
      assert.match(told.err, /damaged|no database|not a database|corrupt|malformed/i, line)
    }
    assert.deepEqual(readFileSync(database), content, 'it is left as it is')
  }
  assert.deepEqual(standing(), [])
  rmSync(database)
  // a table that only has the name of ours
  sql('create table clusters (name text, colour text)')
  for (const line of ['init', 'list', 'add dev --provider k3d']) {
    const told = await fleet(line)
    assert.equal(told.code, 2, `${line}: ${told.out}${told.err}`)
    assert.match(told.err, /its table clusters is another program's/)
  }
  assert.equal(sql('select name from sqlite_master').length, 1, 'it is left as it is')
  rmSync(database)
  assert.equal((await fleet('reconcile --from-db')).code, 2)
  assert.match((await fleet('reconcile --from-db')).err, /tend fleet init/)
})
