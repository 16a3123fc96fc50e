/** Facts that tests of decisions begin with: one application as declared and well, and one that failed. */
import type { Facts } from '#controller/decide/decide.ts'
import { usualPace, type RemedyFacts } from '#controller/decide/remedy.ts'

/** Nothing is to be done. */
export const quiet: Facts = {
  now: 1_000_000,
  underWay: undefined,
  isEnabled: true,
  isSuspended: false,
  gone: undefined,
  asked: undefined,
  cause: 'refresh',
  fault: undefined,
  desired: 'a',
  unread: undefined,
  synced: 'a',
  isHalfDone: false,
  leftBehind: undefined,
  failure: undefined,
  epoch: 0,
  engineProblem: undefined,
  drift: undefined,
  repairAt: 0,
  driftPolicy: 'revert',
  flagsEverything: false,
  acknowledged: undefined,
  waitsFor: [],
  window: () => ({ isOpen: true, until: undefined }),
}

/** Its container can be restarted. */
export const sick: RemedyFacts = {
  now: 1_000_000,
  policy: 'restart',
  state: 'failed',
  since: 1_000_000,
  restartable: 1,
  isLooping: false,
  isInVain: false,
  before: undefined,
  probationUntil: 0,
  mayRollBack: true,
  pace: usualPace,
}
