import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSameImage } from './image-name.ts'

test('one image, however the engine writes its name', () => {
  assert.ok(isSameImage('kindest/node:v1.31.12', 'docker.io/kindest/node:v1.31.12'))
  assert.ok(isSameImage('busybox', 'docker.io/library/busybox:latest'))
  assert.ok(isSameImage('kindest/node:v1@sha256:aa', 'kindest/node@sha256:aa'))
  assert.ok(isSameImage('localhost:5000/node:1', 'localhost:5000/node:1'))
  assert.ok(!isSameImage('kindest/node:v1.31.12', 'kindest/node:v1.32.0'))
  assert.ok(!isSameImage('kindest/node:v1@sha256:aa', 'kindest/node@sha256:bb'))
  assert.ok(!isSameImage('kindest/node:v1.31.12', 'example.org/kindest/node:v1.31.12'))
})
