/** `tend db backup`: a copy that opens, that only its owner may read, and that never takes another file's place. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'

const folder = mkdtempSync(join(tmpdir(), 'tend-backup-'))
after(() => rmSync(folder, { recursive: true }))

test('a backup is readable by its owner alone, and opens', () => {
  const file = join(folder, 'copy.db')
  const env = { PATH: process.env['PATH'], HOME: folder, TEND_HOME: join(folder, 'home') }
  const backup = () => spawnSync('bin/tend', ['db', 'backup', file], { env, encoding: 'utf8' })
  const made = backup()
  assert.equal(made.status, 0, made.stderr)
  assert.ok(made.stdout.includes(`Keep its key too: ${join(folder, 'home/key')}\n`), made.stdout)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const copy = new DatabaseSync(file, { readOnly: true })
  const tables = copy.prepare("select name from sqlite_master where type = 'table'").all()
  copy.close()
  assert.ok(tables.length > 3)
  const nowhere = spawnSync('bin/tend', ['db', 'backup', join(folder, 'none', 'copy.db')], {
    env,
    encoding: 'utf8',
  })
  assert.equal(nowhere.status, 2, nowhere.stderr)
  assert.match(nowhere.stderr, /there is no folder .*\/none\n {4}Suggestion: make it/)
  const again = backup()
  assert.notEqual(again.status, 0)
  assert.match(again.stderr, /copy\.db/)
})
