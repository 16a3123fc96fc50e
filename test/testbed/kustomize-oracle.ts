/** What kustomize 5.8.1 itself makes of a tree of files. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { kubeTool } from './kube-tools.ts'

export type Verdict = { readonly text: string } | { readonly error: string }

export function kustomizeSays(
  files: Readonly<Record<string, string>>,
  path: string,
  words: readonly string[] = [],
): Verdict {
  const folder = mkdtempSync(join(tmpdir(), 'tend-tree-'))
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
    const { status, stdout, stderr } = spawnSync(
      kubeTool('kustomize'),
      ['build', ...words, join(folder, path)],
      { encoding: 'utf8', maxBuffer: 1 << 28 },
    )
    // built from a copy of its source it does not know its version
    const text = stdout.replaceAll('kustomize-(devel)', 'kustomize-v5.8.1')
    return status === 0 ? { text } : { error: stderr.trim() }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
