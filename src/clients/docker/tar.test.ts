import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { firstFileIn, tarBytes, tarStream, type TarEntry } from './tar.ts'

test('the tar program reads what was written: long names, other alphabets, links, modes', async () => {
  const name = fc.stringMatching(/^[a-zé✓ ._-]{1,60}$/).filter((text) => !/^\.{1,2}$/.test(text))
  const paths = fc.uniqueArray(fc.array(name, { minLength: 1, maxLength: 5 }), {
    minLength: 1,
    maxLength: 6,
    selector: (parts) => parts[0],
  })
  await fc.assert(
    fc.asyncProperty(paths, fc.uint8Array({ maxLength: 2000 }), async (found, content) => {
      const entries = found.map((parts, index): TarEntry => {
        const path = parts.join('/')
        if (index % 3 === 0) return { path, mode: 0o640, type: 'file', content }
        if (index % 3 === 1) return { path, mode: 0o700, type: 'folder' }
        return { path, mode: 0o777, type: 'link', target: `../${path}` }
      })
      const streamed: Uint8Array[] = []
      for await (const part of tarStream(entries)) streamed.push(part)
      assert.deepEqual(Buffer.concat(streamed), Buffer.from(tarBytes(entries)))
      const folder = mkdtempSync(join(tmpdir(), 'tend-tar-'))
      execFileSync('tar', ['-xpf', '-', '-C', folder], { input: tarBytes(entries), stdio: 'pipe' })
      for (const entry of entries) {
        const path = join(folder, entry.path)
        const facts = lstatSync(path)
        if (entry.type === 'link') assert.equal(readlinkSync(path), entry.target)
        else assert.equal(facts.mode & 0o777, entry.mode)
        if (entry.type === 'file') assert.deepEqual(readFileSync(path), Buffer.from(content))
      }
      assert.equal(readdirSync(folder).length, entries.length)
      rmSync(folder, { recursive: true })
    }),
    { numRuns: 25 },
  )
})

test('a file is read back, however long its name; where there is none nothing is read', () => {
  const content = Buffer.from('what it says')
  for (const path of ['a', 'deep/'.repeat(40)]) {
    const entries: readonly TarEntry[] = [
      { path: 'folder', mode: 0o755, type: 'folder' },
      { path, mode: 0o644, type: 'file', content },
    ]
    assert.deepEqual(firstFileIn(tarBytes(entries)), content)
  }
  assert.equal(firstFileIn(tarBytes([{ path: 'x', mode: 0o755, type: 'folder' }])), undefined)
  assert.equal(firstFileIn(new Uint8Array()), undefined)
})
