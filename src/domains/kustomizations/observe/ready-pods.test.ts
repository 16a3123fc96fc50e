/** Pods that are ready, as workloads tell. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readyPods } from './ready-pods.ts'

test('a workload tells how many of its pods are ready', () => {
  const cases = [
    [{ kind: 'Deployment', spec: { replicas: 3 }, status: { readyReplicas: 2 } }, [2, 3]],
    [{ kind: 'StatefulSet', spec: {} }, [0, 1]],
    [{ kind: 'DaemonSet', status: { numberReady: 1, desiredNumberScheduled: 4 } }, [1, 4]],
    [{ kind: 'Pod', status: { phase: 'Running' } }, [1, 1]],
    [{ kind: 'Deployment', spec: { replicas: 0 } }, [0, 0]],
    [{ kind: 'ConfigMap', spec: { replicas: 9 } }, [0, 0]],
  ] as const
  for (const [object, [running, total]] of cases) {
    assert.deepEqual(readyPods(object), { running, total }, JSON.stringify(object))
  }
})
