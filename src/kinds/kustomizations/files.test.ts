import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { buildKustomization } from '#formats/kustomize/build.ts'
import { directoryTree } from '#sources/directory.ts'
import { witnessed } from '#sources/inputs.ts'
import { filesOf, toldByBuild } from './files.ts'

const texts = [
  'resources: [l]',
  'components: [l]',
  'generators: [l]',
  'configMapGenerator: [{ name: a, files: [l] }]',
  'configMapGenerator: [{ name: a, envs: [l] }]',
  'configMapGenerator: [{ name: a }]\npatches: [{ path: l }]',
  'configMapGenerator: [{ name: a }]\ncrds: [l]',
]

test('a link that leads out is refused with the line of the kustomization that names it', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tend-links-'))
  t.after(() => rmSync(folder, { recursive: true }))
  for (const [index, text] of texts.entries()) {
    const path = `k${index}`
    mkdirSync(join(folder, path))
    writeFileSync(join(folder, path, 'kustomization.yaml'), `${text}\n`)
    symlinkSync('/etc/hostname', join(folder, path, 'l'))
    const tree = directoryTree(folder, { hasIgnoreFile: false, skipsBadLinks: true })
    const files = toldByBuild(filesOf(witnessed(tree)))
    assert.throws(
      () => buildKustomization({ files, path }),
      /^KustomizeError: k\d\/kustomization\.yaml:\d: .*is a link to \/etc\/hostname/,
      text,
    )
  }
})
