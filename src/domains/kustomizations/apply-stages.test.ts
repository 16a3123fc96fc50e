import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inApplyOrder, ranksOf, stageOf } from './apply-stages.ts'
import type { ObjectName } from './object.ts'

function named(kind: string, name = 'x', group = ''): ObjectName {
  return { apiVersion: 'v1', group, kind, namespace: '', name }
}

test("objects come in Flux's order of kinds, webhooks last, ties by name", () => {
  const kinds = ['ValidatingWebhookConfiguration', 'Gadget', 'Deployment', 'Service', 'Secret']
  const all = [...kinds, 'ConfigMap', 'ServiceAccount', 'StorageClass', 'ClusterRole', 'Namespace']
  const origin = { file: 'a.yaml', line: 1, column: 1 }
  const resources = [...all, 'CustomResourceDefinition'].flatMap((kind) =>
    ['b', 'a'].map((name) => ({
      ref: `${kind}/${name}`,
      spec: { apiVersion: 'v1', kind, metadata: { name } },
      needs: [],
      origin,
      problems: [],
    })),
  )
  const wanted = ['CustomResourceDefinition', ...all.toReversed()]
  assert.deepEqual(
    inApplyOrder(resources).map(({ ref }) => ref),
    wanted.flatMap((kind) => [`${kind}/a`, `${kind}/b`]),
  )
})

test('those of one kind, and all that no table names, are one rank', () => {
  const ranks = ranksOf([named('Gadget'), named('Namespace'), named('Widget'), named('Secret')])
  assert.deepEqual(
    ranks.map((rank) => rank.map(({ kind }) => kind)),
    [['Namespace'], ['Secret'], ['Gadget', 'Widget']],
  )
})

test('stages: what others live in, classes, the rest, webhooks', () => {
  const stages = [
    named('Namespace'),
    named('ClusterRole', 'x', 'rbac.authorization.k8s.io'),
    named('Namespace', 'x', 'example.com'),
    named('IngressClass', 'x', 'networking.k8s.io'),
    named('MutatingWebhookConfiguration', 'x', 'admissionregistration.k8s.io'),
  ].map(stageOf)
  assert.deepEqual(stages, ['first', 'first', 'rest', 'classes', 'last'])
})
