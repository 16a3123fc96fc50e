/** What the verbs say of an answer of the service. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statusOf, unitOf } from '#controller/unit.ts'
import type { AppStatus } from '#model/service.ts'
import type { Desk } from '../session.ts'
import { tellStatus } from './ask-app.ts'

function webIn(state: AppStatus['state'], isSuspended: boolean): AppStatus {
  const memo = { since: 0, from: '', removes: false, isRemoved: false, suspended: isSuspended }
  const unit = unitOf({ kind: 'stack', namespace: null, name: 'web' }, 'tend', memo)
  const judgement = { state, reason: '', needsAcknowledgement: false }
  return statusOf(unit, { ...judgement, run: undefined, until: undefined }, 0)
}

test('what is suspended in the middle of a run says that it is from its end on', async () => {
  const lines: string[] = []
  const screen = {
    format: 'table',
    paint: (_: string, text: string) => text,
    print: (more: readonly string[]) => void lines.push(...more),
  } as unknown as Desk['screen']
  const desk = { screen } as Desk
  await tellStatus(webIn('syncing', true), desk)
  await tellStatus(webIn('suspended', true), desk)
  await tellStatus(webIn('syncing', false), desk)
  assert.deepEqual(lines, [
    'stack:web: → syncing, and suspended when what goes on has ended',
    'stack:web: - suspended',
    'stack:web: → syncing',
  ])
})
