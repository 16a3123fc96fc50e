import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FleetFlags } from './fleet-values.ts'
import { verbHelp } from './help.ts'
import { parse } from './parse.ts'

function flagsOf(line: string): FleetFlags & { readonly isDryRun: boolean } {
  const asked = parse(`fleet ${line}`.split(' '))
  if (asked.kind !== 'invocation') throw new TypeError(asked.kind)
  const { flags } = asked.invocation
  return { ...flags.fleet, isDryRun: flags.isDryRun }
}

test('acceptance 18: flags of a fleet say what they mean, and wrong ones what to write', () => {
  const plain = flagsOf('reconcile --from-db')
  assert.deepEqual([plain.isFromDb, plain.prunesMissing, plain.isDryRun], [true, false, false])
  const dry = flagsOf('reconcile --dry-run --prune-missing')
  assert.deepEqual([dry.isFromDb, dry.prunesMissing, dry.isDryRun], [false, true, true])
  assert.equal(flagsOf('reconcile --loop --interval 15').interval, 15 * 60_000)
  assert.equal(flagsOf('reconcile --loop --interval 30s --max-runs 2').maxRuns, 2)
  assert.deepEqual(
    [...flagsOf('regress').require],
    [
      ['kind', 3],
      ['k3d', 3],
    ],
  )
  assert.deepEqual(
    [...flagsOf('regress --require kind=3,kwok=3').require],
    [
      ['kind', 3],
      ['kwok', 3],
    ],
  )
  assert.equal(flagsOf('add dev --provider k3d --no-route').registrations.route, false)
  for (const [line, says] of [
    ['reconcile --form-db', /--from-db/],
    ['reconcil --from-db', /reconcile/],
    ['regress --require kind', /kind=3/],
    ['reconcile --loop --interval 0s', /15m/],
    ['add dev --provider minikube', /minikube/],
    ['reconcile --loop --interval soon', /soon/],
    ['add dev --http-port web', /http-port/],
    ['regress --require kwokk=1', /kwokk, which is no provider/],
    ['ls', /did you mean fleet list/],
    ['delete dev', /did you mean fleet rm/],
  ] as const) {
    assert.throws(
      () => parse(`fleet ${line}`.split(' ')),
      (thrown: Error & { suggestion?: string }) =>
        says.test(`${thrown.message} ${thrown.suggestion ?? ''}`) ||
        assert.fail(`${line}: ${thrown.message} ${thrown.suggestion}`),
    )
  }
})

test('help of a fleet speaks of fleets', () => {
  assert.deepEqual(parse(['fleet', 'help']), { kind: 'help', verb: 'fleet' })
  assert.deepEqual(parse(['fleet', 'help', 'add']), { kind: 'help', verb: 'fleet add' })
  const told = verbHelp('fleet reconcile').join('\n')
  assert.match(told, /--config FILE.*fleet\.yaml/)
  assert.match(told, /--interval TIME.*15m/)
  assert.doesNotMatch(told, /tend\.yaml|30s\)/)
})
