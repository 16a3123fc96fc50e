import assert from 'node:assert/strict'
import { test } from 'node:test'
import { remoteBaseOf } from './remote.ts'

/** As kustomize's own parser takes them apart: repository, folder, ref. */
const addresses: readonly (readonly [string, string, string, string, string])[] = [
  [
    'https://github.com/acme/base//k8s?ref=v1',
    'https://github.com/acme/base',
    'k8s',
    'v1',
    'github.com',
  ],
  [
    'github.com/acme/base/k8s/prod?ref=main',
    'https://github.com/acme/base',
    'k8s/prod',
    'main',
    'github.com',
  ],
  ['GitHub.com/acme/base', 'https://github.com/acme/base', '', '', 'github.com'],
  ['git@github.com:acme/base.git//k8s', 'git@github.com:acme/base.git', 'k8s', '', 'github.com'],
  ['git@github.com/acme/base', 'git@github.com:acme/base', '', '', 'github.com'],
  ['ssh://git@github.com/acme/base?version=v2', 'git@github.com:acme/base', '', 'v2', 'github.com'],
  [
    'git::https://git.example.org/a/b.git/c?ref=x',
    'https://git.example.org/a/b.git',
    'c',
    'x',
    'git.example.org',
  ],
  [
    'https://git.example.org:8443/deep/er/b.git//c',
    'https://git.example.org:8443/deep/er/b.git',
    'c',
    '',
    'git.example.org',
  ],
  [
    'https://me@dev.azure.com/o/p/_git/repo/k8s',
    'https://me@dev.azure.com/o/p/_git/repo',
    'k8s',
    '',
    'dev.azure.com',
  ],
  ['git@host.xz:a/b', 'git@host.xz:a/b', '', '', 'host.xz'],
  ['file:///srv/repo.git//k8s?ref=v1', 'file:///srv/repo.git', 'k8s', 'v1', ''],
]

test('addresses of bases are taken apart as kustomize does', () => {
  for (const [address, repository, folder, ref, host] of addresses) {
    const found = remoteBaseOf(address)
    assert.deepEqual(
      found && [found.repository, found.folder, found.ref, found.host],
      [repository, folder, ref, host],
      address,
    )
  }
})

test('what is no address of a repository is a path', () => {
  const paths = [
    '../base',
    '/abs/base',
    'base',
    'host.xz/a/b',
    'https://host.xz',
    'https://host.xz/a',
    'a@b',
    'https://host.xz/a/b//../c',
  ]
  for (const path of paths) assert.equal(remoteBaseOf(path), undefined, path)
})
