/** Replacing side by side costs no request: neither of those who come, nor of those who are being answered. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { measureBeside } from '../testbed/beside-clients.ts'
import { required } from '../testbed/packages.ts'

const places = [
  ['a chart on Podman', 'podman'],
  ['a stack on Podman', 'podman'],
  ['a stack on Docker', 'dockerd'],
] as const

void describe('two clients that never stop, over three upgrades', { concurrency: true }, () => {
  for (const [what, program] of places) {
    void test(what, { skip: required(program) }, async (t) => {
      const measured = await measureBeside(what, 3, { answer: 2, stop: 5 })
      const { asked, failed, unresolved } = measured
      assert.deepEqual(failed, [])
      // the name server of Podman 4.3 forgets for a moment whenever a container comes or goes, whoever's it is
      t.diagnostic(`${unresolved.length} of ${asked.quick} names were not resolved`)
      if (program === 'dockerd') assert.deepEqual(unresolved, [])
      assert.ok(asked.quick > 10 && asked.slow > 1, JSON.stringify(asked))
    })
  }
})
