/** From a field's path to the line that declares it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lineOfField } from './field-line.ts'

const compose = `services:
  web:
    image: nginx:1
    environment:
      - COLOUR=blue
      - SIZE=1
    ports:
      - "80:80"
      - "443:443"
    deploy:
      resources:
        limits:
          memory: 64M
  db:
    image: postgres
    mem_limit: 1g
`

test('keys, lists and names of a Compose file', () => {
  assert.equal(lineOfField(compose, 2, 'image'), 3)
  assert.equal(lineOfField(compose, 2, 'environment.SIZE'), 6)
  assert.equal(lineOfField(compose, 2, 'ports[1]'), 9)
  assert.equal(lineOfField(compose, 2, 'deploy.resources.limits.memory'), 13)
  assert.equal(lineOfField(compose, 14, 'memLimit'), 16)
})

test('what no line declares is told by the deepest part that one does', () => {
  assert.equal(lineOfField(compose, 2, 'image.digest'), 3)
  assert.equal(lineOfField(compose, 2, 'restart'), 2)
  assert.equal(lineOfField(compose, 2, 'postgres'), 2)
  assert.equal(lineOfField('', 1, 'a.b'), 1)
})

const manifests = `apiVersion: v1
kind: ConfigMap
data:
  colour: blue
---
apiVersion: apps/v1
kind: Deployment
spec:
  replicas: 2
  template:
    spec:
      containers:
        - name: web
          image: nginx:1
        - name: side
          image: side:2
          env:
            - name: COLOUR
              value: blue
`

test('documents of Kubernetes', () => {
  assert.equal(lineOfField(manifests, 1, 'data.colour'), 4)
  assert.equal(lineOfField(manifests, 6, 'spec.replicas'), 9)
  assert.equal(lineOfField(manifests, 6, 'spec.template.spec.containers[1].image'), 16)
  assert.equal(lineOfField(manifests, 6, 'spec.template.spec.containers.side.env.COLOUR'), 18)
  assert.equal(lineOfField(manifests, 6, 'data.colour'), 6, 'of another document')
})

test('fields of a manifest stand below its spec or its metadata, where normal forms have no such level', () => {
  const text = `apiVersion: cutepod/v1alpha0
kind: CuteContainer
metadata:
  name: front
  labels: { tier: web }
spec:
  image: web:1
  ports:
    - 80:80
`
  assert.equal(lineOfField(text, 1, 'image'), 7)
  assert.equal(lineOfField(text, 1, 'ports[0]'), 9)
  assert.equal(lineOfField(text, 1, 'labels.tier'), 5)
  assert.equal(lineOfField(text, 1, 'nothing'), 1)
})
