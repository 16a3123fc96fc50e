/** Replacing side by side costs no request: neither of those who come, nor of those who are being answered. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measureBeside } from '../testbed/beside-clients.ts'
import { required } from '../testbed/packages.ts'

void test(
  'two clients that never stop, over three upgrades',
  { skip: required('podman') },
  async (t) => {
    const { asked, failed, unresolved } = await measureBeside('a chart on Podman', 3, {
      answer: 2,
      stop: 5,
    })
    assert.deepEqual(failed, [])
    // the name server of Podman 4.3 forgets for a moment whenever a container comes or goes, whoever's it is
    t.diagnostic(`${unresolved.length} of ${asked.quick} names were not resolved`)
    assert.ok(asked.quick > 10 && asked.slow > 1, JSON.stringify(asked))
  },
)
