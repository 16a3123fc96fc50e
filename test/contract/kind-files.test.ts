/** The contract of kinds on the one that lives in the tests: a folder of files. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Tree } from '#model/tree.ts'
import { filesKind, filesTarget } from '../kinds/files/domain.ts'
import { renderFiles } from '../kinds/files/render.ts'
import { kindContract } from './kind.ts'

function treeOf(files: Readonly<Record<string, string>>): Tree {
  return {
    root: 'files',
    list: () => Object.keys(files).toSorted(),
    read: (path) => (files[path] === undefined ? undefined : new TextEncoder().encode(files[path])),
  }
}

const seed = new Uint8Array([7])
const secret = 'correct horse battery staple'
const first = {
  'a.json': '{"a":1}',
  'b.after-a.json': '"b"',
  'old.txt': 'old',
  'secret-key': secret,
}
const second = {
  'a.json': '{"a":2}',
  'b.after-a.json': '"b"',
  'new.txt': 'new',
  'secret-key': secret,
}

kindContract('files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tend-files-'))
  return {
    kind: filesKind,
    target: filesTarget(folder),
    application: { kind: 'files', namespace: null, name: 'small' },
    first: () => renderFiles(treeOf(first), seed),
    second: () => renderFiles(treeOf(second), seed),
    secret,
    async sketch() {
      const names = existsSync(folder)
        ? readdirSync(folder).filter((name) => !name.startsWith('.'))
        : []
      return Object.fromEntries(
        names.toSorted().map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
      )
    },
    async drift() {
      writeFileSync(join(folder, 'old.txt'), 'changed by hand')
    },
    async sicken() {
      writeFileSync(join(folder, 'a.json.lock'), '')
    },
    async close() {
      rmSync(folder, { recursive: true })
    },
  }
})
