/** An engine that is not there: started where it is installed, else installed. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Problem } from '#model/problem.ts'
import { absent } from './engines.ts'

const problem = new Problem({
  type: 'configuration',
  code: 'unreachable',
  message: 'no Podman socket was found',
  suggestion: 'start one',
})

test('the line that mends it depends on whether the engine is installed', (t) => {
  const path = mkdtempSync(join(tmpdir(), 'tend-path-'))
  t.after(() => rmSync(path, { recursive: true }))
  const gone = absent('Podman', problem, 'no charts', path)
  assert.equal(gone.found, 'no Podman socket was found, and none is installed')
  assert.match(gone.mend ?? '', /^apt-get install -y podman && systemctl /)
  writeFileSync(join(path, 'podman'), '', { mode: 0o755 })
  assert.equal(absent('Podman', problem, 'no charts', path).mend, 'start one')
})

test('one that may not be used is not to be installed again', () => {
  const denied = new Problem({
    type: 'configuration',
    code: 'unreachable',
    message: '/var/run/docker.sock is there, but you may not use it',
    suggestion: 'join the group',
  })
  assert.equal(absent('engine of stacks', denied, 'no stacks', '').mend, 'join the group')
})
