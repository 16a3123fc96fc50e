/** The spec of a Flux Kustomization is read whole: defaults, durations, and every field that is not known. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSpec } from './spec.ts'

const least = { interval: '1m', prune: true, sourceRef: { kind: 'GitRepository', name: 'apps' } }

test('the least that may be written has our defaults', () => {
  const { spec, problems } = readSpec(least)
  assert.deepEqual(problems, [])
  assert.deepEqual(
    [spec.path, spec.wait, spec.timeout, spec.interval, spec.retryInterval, spec.deletionPolicy],
    ['', true, 300_000, 60_000, 60_000, 'MirrorPrune'],
  )
  assert.deepEqual(spec.sourceRef, { kind: 'GitRepository', name: 'apps', namespace: '' })
})

test('durations, paths and references', () => {
  const { spec, problems } = readSpec({
    ...least,
    path: './k8s/clusters/local/',
    interval: '1h30m0s',
    retryInterval: '1.5s',
    timeout: '500ms',
    wait: false,
    kubeConfig: { secretRef: { name: 'far' } },
    decryption: { provider: 'sops', secretRef: { name: 'keys' } },
    dependsOn: [{ name: 'infra', readyExpr: 'dep.status.ok' }],
    postBuild: { substituteFrom: [{ kind: 'ConfigMap', name: 'vars' }] },
    ignore: [{ paths: ['/spec/replicas'], target: { kind: 'Deployment' } }],
  })
  assert.deepEqual(problems, [])
  assert.deepEqual(
    [spec.path, spec.interval, spec.retryInterval, spec.timeout, spec.wait],
    ['k8s/clusters/local', 5_400_000, 1500, 500, false],
  )
  assert.deepEqual(spec.kubeConfig, { kind: 'Secret', name: 'far', key: '' })
  assert.equal(spec.decryption?.secretRef, 'keys')
  assert.deepEqual(spec.dependsOn, [{ name: 'infra', namespace: '', readyExpr: 'dep.status.ok' }])
  assert.deepEqual(spec.postBuild.substituteFrom, [
    { kind: 'ConfigMap', name: 'vars', optional: false },
  ])
  assert.equal(spec.ignore[0]?.target?.kind, 'Deployment')
})

test('what is unknown, missing or wrong is named, and the rest is read all the same', () => {
  const { spec, problems } = readSpec({
    interval: '5 minutes',
    sourceRef: least.sourceRef,
    path: '../other',
    purge: true,
    namePrefix: 'p-',
    images: [{ name: 'a', tag: 'b' }],
  })
  const messages = problems.map(({ message }) => message).toSorted()
  assert.deepEqual(messages, [
    'spec.images[0].tag: unknown field',
    'spec.interval: is not a duration',
    'spec.path: "../other" leaves the repository',
    'spec.prune: is required, but missing',
    'spec.purge: unknown field',
  ])
  assert.equal(spec.namePrefix, 'p-')
})

test('what is no spec at all has the missing fields as problems', () => {
  assert.equal(readSpec(null).problems.length > 0, true)
  assert.equal(readSpec({}).problems.length, 3)
})
