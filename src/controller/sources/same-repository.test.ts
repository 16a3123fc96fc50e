import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSameRepository } from './same-repository.ts'

test('a repository has many addresses', () => {
  const shown = 'https://git.test/team/shop.git'
  for (const same of [
    'https://git.test/team/shop',
    'https://user:token@git.test/team/shop.git/',
    'http://GIT.test:8080/team/shop.git',
    'git@git.test:team/shop.git',
    'ssh://git@git.test:2222/team/shop.git',
  ]) {
    assert.equal(isSameRepository(same, shown), true, same)
  }
  for (const other of [
    'https://git.test/team/shop2',
    'https://other.test/team/shop',
    'git@git.test:shop.git',
  ]) {
    assert.equal(isSameRepository(other, shown), false, other)
  }
  assert.equal(isSameRepository('/srv/git/shop', '/srv/git/shop.git'), true)
})
