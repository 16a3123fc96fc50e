import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonRecord } from '#model/json.ts'
import { lastRestartIn, podTroubleOf } from './pod-problem.ts'

function waiting(reason: string, restartCount = 0): JsonRecord {
  const status = { name: 'web', restartCount, state: { waiting: { reason } } }
  return { status: { containerStatuses: [status] } }
}

test('how long each trouble of a pod may last before it is final', () => {
  const minute = 60_000
  const graces = {
    ErrImagePull: minute,
    ImagePullBackOff: minute,
    CreateContainerConfigError: minute,
    CreateContainerError: minute,
    RunContainerError: minute,
    InvalidImageName: 0,
    ContainerCreating: undefined,
    PodInitializing: undefined,
  }
  for (const [reason, grace] of Object.entries(graces)) {
    assert.equal(podTroubleOf(waiting(reason))?.grace, grace, reason)
  }
  const crashes = [0, 1, 2, 3, 4].map((count) => podTroubleOf(waiting('CrashLoopBackOff', count)))
  assert.deepEqual(
    crashes.map((one) => one?.grace),
    [Infinity, Infinity, Infinity, 0, 0],
  )
  const reason = 'Unschedulable'
  const conditions = [{ type: 'PodScheduled', status: 'False', reason, message: 'no node' }]
  assert.equal(podTroubleOf({ status: { conditions } })?.grace, Infinity)
})

test('an init container that is not started again is final, one that is started again is not', () => {
  const pod = (restartPolicy: string) => ({
    spec: { restartPolicy },
    status: {
      initContainerStatuses: [
        { name: 'first', state: { terminated: { exitCode: 1, reason: 'Error' } } },
      ],
    },
  })
  assert.equal(podTroubleOf(pod('Never'))?.grace, 0)
  assert.equal(podTroubleOf(pod('Always')), undefined)
})

test('of containers that were started anew the one counts that ended last', () => {
  const pod = (restartCount: number, exitCode: number, finishedAt: string): JsonRecord => {
    const lastState = restartCount === 0 ? {} : { terminated: { exitCode, finishedAt } }
    return { status: { containerStatuses: [{ name: 'web', restartCount, lastState }] } }
  }
  assert.equal(lastRestartIn([pod(0, 0, '')]), undefined)
  const [early, late] = [pod(7, 1, '2026-01-01T00:00:00Z'), pod(2, 137, '2026-01-02T00:00:00Z')]
  const found = lastRestartIn([early, late, pod(0, 0, '')])
  assert.deepEqual([found?.pod, found?.restarts, found?.exitCode], [late, 2, 137])
})
