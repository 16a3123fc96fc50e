/** Changes are told in the words of the file. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashOf } from '#model/json.ts'
import { vaultOf } from '#model/vault.ts'
import { changesOf } from './compare.ts'

test('a network that turns internal is told as the file says it', () => {
  const before = { object: 'shop_back', isExternal: false, options: { mtu: '1400' } }
  const spec = { ...before, isInternal: true, options: { mtu: '1300' } }
  const origin = { file: 'compose.yaml', line: 1, column: 1 }
  const wanted = { ref: 'network/back', spec, needs: [], origin, problems: [] }
  const recorded = { hash: hashOf(before), spec: before, needs: [] }
  const seen = { kind: 'present', recorded, outputs: {}, live: {}, spares: [] } as const
  const changes = changesOf(wanted, seen, vaultOf(new Map(), new Uint8Array()))
  const paths = changes.map(({ path }) => path).toSorted()
  assert.deepEqual(paths, ['driver_opts.mtu', 'internal'])
})
