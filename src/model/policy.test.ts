/** What a refusal offers: the narrowest line that allows it first. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asksOfPath, denyAll, judge } from './policy.ts'

function offered(path: string): string {
  const [ask] = asksOfPath(path, ['/srv/shop']).filter(({ rule }) => rule === 'outsideBinds')
  return ask === undefined ? '' : (judge(denyAll, ask)?.suggestion ?? '')
}

test('a path of the host: its folder in allowedRoots, and not every path', () => {
  assert.equal(
    offered('/srv/media/films/'),
    'take it out, or let the operator write security: {allowedRoots: [/srv/media/films]} for it in tend.yaml (outsideBinds: allow allows every path)',
  )
  assert.equal(offered('/srv/shop/data'), '')
})

test('the whole host, the socket of an engine and odd names are not offered as roots', () => {
  for (const path of ['/', '/run/docker.sock', '/var/run', 'C:/x', '/srv/a, b]']) {
    assert.match(offered(path), /write security: \{outsideBinds: allow\} for it/, path)
  }
})
