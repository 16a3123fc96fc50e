/** Where files lie for containers: nothing that Tend answers for is below what a container may have. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isBelow } from '#model/policy.ts'
import type { BindFile } from '#model/bind-files.ts'
import type { Tree } from '#model/tree.ts'
import { bindFilesIn, folderOf } from './bind-files.ts'

const key = 'stack:shop'
const nothing: Tree = { root: '/shop', read: () => undefined, list: () => [] }
const laid = bindFilesIn('/var/tend/files')

function placed(path: string, more: Partial<BindFile> = {}): string {
  return laid.pathOf({ key, path, isWritable: true, ...more }, nothing)
}

test('a stack at the root of its repository has no way to the Compose files that its labels name', () => {
  const named = placed('compose.yaml', { isSource: true })
  for (const path of ['', '.source', '.source/compose.yaml', '..source', 'compose.yaml']) {
    const bound = placed(path)
    assert.ok(!isBelow(named, bound), `${named} is below ${bound}`)
    assert.ok(isBelow(bound, `/var/tend/files/${folderOf(key)}`), bound)
  }
  // and the confinement lets an application bind nothing but its own folder
  assert.ok(!isBelow(named, `/var/tend/files/${folderOf(key)}`), named)
})
