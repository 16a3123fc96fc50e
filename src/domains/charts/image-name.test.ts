import assert from 'node:assert/strict'
import { test } from 'node:test'
import { imageIdOf } from './image-name.ts'

const images = new Map([
  ['localhost/app:1', 'a'],
  ['docker.io/library/nginx:latest', 'b'],
  ['docker.io/me/tool:2', 'c'],
  ['registry.example:5000/x:latest', 'd'],
  ['registry.example/x@sha256:00', 'e'],
])

const means = [
  ['localhost/app:1', 'a'],
  ['app:1', 'a'],
  ['nginx', 'b'],
  ['me/tool:2', 'c'],
  ['registry.example:5000/x', 'd'],
  ['registry.example/x@sha256:00', 'e'],
  ['app', undefined],
  ['docker.io/me/tool', undefined],
] as const

for (const [name, id] of means) {
  test(`${name} means ${id ?? 'nothing that is here'}`, () => {
    assert.equal(imageIdOf(name, images), id)
  })
}
