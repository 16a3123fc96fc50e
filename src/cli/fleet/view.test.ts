import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forReader, summaryLines } from './view.ts'

test('the line for programs is everywhere but on a terminal, and there with -v', () => {
  const lines = summaryLines([])
  assert.deepEqual(lines, ['RECONCILE_SUMMARY=[]'])
  const shown = (isTerminal: boolean, isVerbose: boolean): number =>
    forReader(lines, { isTerminal }, { isVerbose }).length
  assert.deepEqual([shown(false, false), shown(true, true), shown(true, false)], [1, 1, 0])
})
