import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Tree } from '#model/tree.ts'
import { withoutIgnored } from './source-ignore.ts'

function treeOf(files: Readonly<Record<string, string>>): Tree {
  const paths = Object.keys(files).toSorted()
  return {
    root: 'repo',
    list: (folder) => paths.filter((path) => folder === '' || path.startsWith(`${folder}/`)),
    read(path) {
      const text = files[path]
      return text === undefined ? undefined : Buffer.from(text)
    },
  }
}

test("Flux's usual list leaves out pictures, forges' folders and .sops.yaml at any depth", () => {
  const names = [
    'a.yaml',
    'docs/x.png',
    '.github/workflows/ci.yaml',
    'k8s/.sops.yaml',
    '.gitignore',
  ]
  const tree = withoutIgnored(
    treeOf(Object.fromEntries(names.map((name) => [name, '']))),
    undefined,
  )
  assert.deepEqual(tree.list(''), ['a.yaml'])
  assert.equal(tree.read('k8s/.sops.yaml'), undefined)
  assert.ok(tree.read('a.yaml') !== undefined)
})

test('spec.ignore takes the place of the usual list, the last word counts', () => {
  const names = ['k8s/a.yaml', 'k8s/b/c.yaml', 'other/d.yaml', 'x.png']
  const files = treeOf(Object.fromEntries(names.map((name) => [name, ''])))
  assert.deepEqual(withoutIgnored(files, '/*\n!/k8s\n').list(''), ['k8s/a.yaml', 'k8s/b/c.yaml'])
  assert.deepEqual(withoutIgnored(files, '**/c.yaml\n').list('k8s'), ['k8s/a.yaml'])
})

test('a .sourceignore speaks of its own folder, and can not take back what lies in a folder that is left out', () => {
  const files = treeOf({
    'a/.sourceignore': 'b/\n!b/keep.yaml\n*.tmp\n',
    'a/b/keep.yaml': '',
    'a/x.tmp': '',
    'a/[1].yaml': '',
    'x.tmp': '',
  })
  assert.deepEqual(withoutIgnored(files, undefined).list(''), [
    'a/.sourceignore',
    'a/[1].yaml',
    'x.tmp',
  ])
})
