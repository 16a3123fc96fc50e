import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readLayers } from './layers.ts'

const folder = mkdtempSync(join(tmpdir(), 'tend-layers-'))
after(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'more.yaml')
writeFileSync(file, 'a: 1\n')

test('files are read, flags are taken as they are, in their order', () => {
  assert.deepEqual(
    readLayers([
      { kind: 'set', text: 'a=2' },
      { kind: 'file', text: file },
      { kind: 'set-file', text: `tls.cert=${file}` },
      { kind: 'set-string', text: 'a=3' },
    ]),
    [
      { kind: 'set', text: 'a=2' },
      { kind: 'file', name: file, text: 'a: 1\n' },
      { kind: 'set-file', path: 'tls.cert', content: 'a: 1\n' },
      { kind: 'set-string', text: 'a=3' },
    ],
  )
})

test('what can not be read says which flag it was', () => {
  const missing = { code: 'values_error', message: '-f none.yaml: there is no such file' }
  assert.throws(() => readLayers([{ kind: 'file', text: 'none.yaml' }]), missing)
  assert.throws(() => readLayers([{ kind: 'file', text: folder }]), /the file can't be read/)
  assert.throws(() => readLayers([{ kind: 'set-file', text: 'a' }]), /--set-file a: there is no =/)
})
