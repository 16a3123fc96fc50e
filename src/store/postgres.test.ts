/** Who keeps history in a file pays nothing for PostgreSQL: its client is loaded by who names an address, and by nobody else. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { shownAddress } from './postgres.ts'

const files = globSync('src/**/*.ts').filter((file) => !file.endsWith('.test.ts'))

/** Files that load a module when they are loaded themselves: neither types nor what is loaded later. */
function loadersOf(module: RegExp): readonly string[] {
  return files.filter((file) =>
    readFileSync(file, 'utf8')
      .split(/^(?=import |export )/m)
      .some((part) => !/^\w+ type /.test(part) && module.test(part.split('\n\n')[0] ?? '')),
  )
}

test('the search finds who loads a module', () => {
  assert.ok(loadersOf(/ from '.*\/sqlite\.ts'/).includes('src/store/sqlite-file.ts'))
})

test('nobody loads the client of PostgreSQL at the start', () => {
  assert.deepEqual(loadersOf(/ from 'pg'/), [])
  assert.deepEqual(loadersOf(/ from '.*\/postgres\.ts'/), [])
})

test('an address is shown without what is secret', () => {
  const cases = {
    'postgres://tend:secret@db.example.org:6432/tend?sslmode=require':
      'postgres://db.example.org:6432/tend',
    'postgres://tend@[::1]/tend': 'postgres://[::1]/tend',
    'secret and no address': 'postgres://…',
  }
  for (const [address, shown] of Object.entries(cases)) assert.equal(shownAddress(address), shown)
})
