/** The JSON Schemas of charts have an example of each kind, and each is one that charts accept. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonSchema, manifestSchema } from './json-schema.ts'
import { furtherExamples } from './further-examples.ts'
import { manifestExamples } from './manifest-examples.ts'
import { kinds } from './spec.ts'

for (const kind of kinds) {
  test(`the example of a ${kind} is one`, () => {
    const read = manifestSchema(kind).safeParse(manifestExamples[kind])
    assert.ok(read.success, JSON.stringify(read.error?.issues))
    assert.deepEqual(jsonSchema(kind)?.['examples'], [manifestExamples[kind]])
  })
}

test('the schema of all manifests has them all', () => {
  assert.deepEqual(jsonSchema()?.['examples'], Object.values(manifestExamples))
})

test('each of the further examples is a manifest', () => {
  for (const example of furtherExamples) {
    const read = kinds.map((kind) => manifestSchema(kind).safeParse(example))
    assert.ok(
      read.some(({ success }) => success),
      JSON.stringify(example),
    )
  }
})
