import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dependencyText } from './kustomization-status.ts'

test('what is waited for is told in whole sentences', () => {
  assert.equal(dependencyText('kustomization:a/b'), "dependency 'a/b' is not ready")
  assert.equal(
    dependencyText('kustomization:a/b, which nobody declared, kustomization:a/c'),
    "dependency 'a/b' is not ready: nobody declared it; dependency 'a/c' is not ready",
  )
  assert.equal(
    dependencyText('kustomization:a/b, which nobody declared', (key) => key.endsWith('a/b')),
    "dependency 'a/b' is not ready: it is in trouble itself",
  )
  assert.equal(
    dependencyText(
      'kustomization:a/b, in a circle: kustomization:a/b → kustomization:a/c (cut it)',
    ),
    "dependency 'a/b' is not ready: in a circle: 'a/b' → 'a/c' (cut it)",
  )
})
