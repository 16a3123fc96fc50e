/** What the verbs say of an answer of the service. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAppState } from '#controller/state/create-app-state.ts'
import { statusOf } from '#controller/decide/app-status.ts'
import type { AppStatus } from '#model/service.ts'
import type { CommandContext } from '../session.ts'
import { tellStatus } from './ask-app.ts'

function webIn(state: AppStatus['state'], isSuspended: boolean): AppStatus {
  const persisted = { since: 0, from: '', removes: false, isRemoved: false, suspended: isSuspended }
  const app = createAppState({ kind: 'stack', namespace: null, name: 'web' }, 'tend', persisted)
  const decision = { state, reason: '', needsAcknowledgement: false }
  return statusOf(app, { ...decision, run: undefined, until: undefined }, 0)
}

test('what is suspended in the middle of a run says that it is from its end on', async () => {
  const lines: string[] = []
  const screen = {
    format: 'table',
    paint: (_: string, text: string) => text,
    print: (more: readonly string[]) => void lines.push(...more),
  } as unknown as CommandContext['screen']
  const context = { screen } as CommandContext
  await tellStatus(webIn('syncing', true), context)
  await tellStatus(webIn('suspended', true), context)
  await tellStatus(webIn('syncing', false), context)
  assert.deepEqual(lines, [
    'stack:web: → syncing, and suspended when what goes on has ended',
    'stack:web: - suspended',
    'stack:web: → syncing',
  ])
})
