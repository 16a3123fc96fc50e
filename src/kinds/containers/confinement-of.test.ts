/** What an application of the service may bind, also when nobody remembers how it was declared. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { denyAll } from '#model/policy.ts'
import { bindFilesIn } from '#sources/bind-files.ts'
import { stackOf } from '../../../test/testbed/serve.ts'
import { confinementsOn } from './confinement-of.ts'

const tasks = { perform: async () => undefined }
const folder = mkdtempSync(join(tmpdir(), 'tend-confinement-'))
after(() => rmSync(folder, { recursive: true }))
const followed = {
  bindFiles: bindFilesIn(folder),
  tasksFor: () => tasks,
  neighbourOf: () => undefined,
  cacheKeyOf: () => 'key',
}
const engine = { address: 'unix:///run/engine.sock', isLocal: true }

test('one that is declared no more keeps what it had, and one that nobody remembers may bind its own alone', () => {
  const confinementFor = confinementsOn(engine, 'here', followed)
  const security = { ...denyAll, allowedRoots: ['/srv/media'] }
  const declared = stackOf('web', undefined, { policy: { security } })
  assert.deepEqual(confinementFor('here:stack:web', declared)?.policy, security)
  assert.deepEqual(confinementFor('here:stack:web', undefined)?.policy, security)
  const unknown = confinementFor('here:stack:other', undefined)
  assert.deepEqual([unknown?.policy, unknown?.ownRoots], [denyAll, []])
  assert.equal(unknown?.ownFolder, 'app-stack-other')
})

test('by hand nothing is confined', () => {
  const confinementFor = confinementsOn(engine, 'here', undefined)
  assert.equal(confinementFor('here:stack:web', stackOf('web', undefined)), undefined)
})
