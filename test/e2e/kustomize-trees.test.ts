/** Random trees of overlays: byte for byte what kustomize 5.8.1 prints, and failing where it fails. TEND_TREES=5000 tries as many. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { buildKustomization } from '#formats/kustomize/build.ts'
import { KustomizeError } from '#formats/kustomize/error.ts'
import { filesOf } from '../conformance/kustomize.ts'
import { trees, type Tree } from '../conformance/trees/tree.ts'
import { requiredKube } from '../testbed/kube-tools.ts'
import { kustomizeSays } from '../testbed/kustomize-oracle.ts'

const count = Number(process.env['TEND_TREES'] ?? '100')

test(`${count} random trees`, { skip: requiredKube(['kustomize']) }, () => {
  let built = 0
  const property = fc.property(trees, ({ files, path }: Tree) => {
    const expected = kustomizeSays(files, path)
    let actual: string | undefined
    let error: unknown
    try {
      actual = buildKustomization({ files: filesOf({ files }), path }).text
    } catch (thrown) {
      error = thrown
    }
    if ('text' in expected) {
      if (error !== undefined) throw new Error('this should have been built', { cause: error })
      assert.deepEqual(actual?.split('\n'), expected.text.split('\n'))
      built++
    } else if (error === undefined) throw new Error(`should have failed: ${expected.error}`)
    else if (!(error instanceof KustomizeError)) throw error
  })
  fc.assert(property, { numRuns: count })
  assert.ok(built > count / 3, `only ${built} of ${count} trees can be built at all`)
})
