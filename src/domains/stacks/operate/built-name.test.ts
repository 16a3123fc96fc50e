/** Names of images mean the same, however they are written; and whose a build is, its label tells. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { otherBuilder } from '#domains/containers/image-builder.ts'
import { isSameName } from './built-name.ts'

test('one image, many names', () => {
  const same = [
    'postgres',
    'postgres:latest',
    'library/postgres',
    'docker.io/postgres',
    'docker.io/library/postgres:latest',
    'index.docker.io/library/postgres',
    'registry-1.docker.io/library/postgres:latest',
  ]
  for (const one of same)
    for (const other of same) assert.ok(isSameName(one, other), `${one} ${other}`)
  // Podman keeps what it builds under this one
  assert.ok(isSameName('postgres:16', 'localhost/postgres:16'))
  for (const other of ['postgres:16', 'team/postgres', 'registry.example/postgres', 'postgres2']) {
    assert.ok(!isSameName('postgres', other), other)
  }
})

test('an application is the same under another instance, and no other one is', () => {
  const own = { owner: 'here:stack:shop', key: 'stack:shop' }
  for (const builder of ['here:stack:shop', 'there:stack:shop']) {
    assert.equal(otherBuilder(own, { 'tend/builder': builder }), undefined)
  }
  assert.equal(otherBuilder(own, {}), undefined)
  for (const builder of ['here:stack:shop2', 'here:chart:shop', 'here:stack:my-shop', 'shop']) {
    assert.equal(otherBuilder(own, { 'tend/builder': builder }), builder)
  }
})
