import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeOfField } from './field-location.ts'

const text = `apiVersion: v1
kind: ConfigMap
metadata: { name: a }
---
# what serves
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replica: 2
  template:
    spec:
      containers:
        - name: side
          image: a
        - image: b
          name: web
          imag: c
          ports:
            - { containerPort: 80 }
            - containerPort: 0
`
const origin = { file: 'web.yaml', line: 5, column: 1 }

test('the field that a server complains about is found in its document', () => {
  for (const [message, line] of [
    ['could not check Deployment a/web: .spec.replica: field not declared in schema', 11],
    [
      'failed to create typed patch object (a/web; apps/v1, Kind=Deployment): .spec.template.spec.containers[name="web"].imag: field not declared in schema',
      19,
    ],
    ['strict decoding error: unknown field "spec.replica"', 11],
    [
      'Deployment "web" is invalid: [spec.template.spec.containers[1].ports[1].containerPort: Invalid value: 0: must be between 1 and 65535, spec.x: Required value]',
      22,
    ],
    // what is missing is missing where it should be
    ['Deployment "web" is invalid: spec.template.spec.containers[0].ports: Required value', 15],
    ['namespaces "nowhere" not found', 5],
  ] as const) {
    assert.equal(placeOfField(text, origin, 'Deployment', message).line, line, message)
  }
})

test('what another file brought stays where its object is', () => {
  const elsewhere = { file: 'kustomization.yaml', line: 3, column: 1 }
  const generator = 'configMapGenerator:\n- name: a\n  literals: [b]\nspec: 1\n'
  const message = '.spec.x: field not declared in schema'
  assert.deepEqual(placeOfField(generator, elsewhere, 'ConfigMap', message), elsewhere)
  const list = 'kind: List\nitems:\n- kind: Deployment\n  spec: { replica: 1 }\n---\n'
  const inList = { file: 'list.yaml', line: 3, column: 1 }
  const said = '.spec.replica: field not declared in schema'
  assert.deepEqual(placeOfField(`${list}${text}`, inList, 'Deployment', said), inList)
  assert.deepEqual(placeOfField('a: [', elsewhere, 'ConfigMap', message), elsewhere)
})
