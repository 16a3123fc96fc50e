import assert from 'node:assert/strict'
import { test } from 'node:test'
import { denyAll } from '#model/policy.ts'
import { loadOf, messages } from '../../../test/fake/stack-text.ts'
import { renderStack } from './render/render.ts'

test('a file that may not be read, such as a link that leads out, is told with the line that asks for it', () => {
  const uses = {
    'env_file: [link]': 4,
    'label_file: [link]': 4,
    'secrets: [s]\nsecrets: { s: { file: link } }': 5,
    'configs: [s]\nconfigs: { s: { file: link } }': 5,
  }
  for (const [use, line] of Object.entries(uses)) {
    const yaml = `services:\n  web:\n    image: a\n    ${use}\n`
    const { files, ...load } = loadOf({ 'compose.yaml': yaml })
    const read = (path: string): Uint8Array | undefined => {
      if (path.endsWith('/link')) throw new Error('link is a link to /etc/shadow, outside')
      return path.endsWith('/compose.yaml') ? Buffer.from(yaml) : undefined
    }
    const input = { policy: denyAll, revision: 'r1', seed: new Uint8Array([1]) }
    const found = renderStack({ ...input, load: { ...load, files: { ...files, read } } })
    assert.deepEqual(messages(found), [`${line}: link is a link to /etc/shadow, outside`], use)
  }
})
