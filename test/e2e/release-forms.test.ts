/** What writes the forms of a release, held against those who read them: tar, dpkg-deb, man. All of it is small, so that it is quick. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { after, test } from 'node:test'
import { verbs } from '#cli/arguments/verbs.ts'
import { billOfMaterials } from '../../release/bill-of-materials.ts'
import { debianPackage } from '../../release/debian.ts'
import { installation } from '../../release/installation.ts'
import { manPages } from '../../release/man-pages.ts'
import { strip } from '../../release/strip.ts'
import { tarOf } from '../../release/tar.ts'
import { file, type Tree } from '../../release/tree.ts'

const folder = mkdtempSync(join(tmpdir(), 'tend-forms-'))
after(() => rmSync(folder, { recursive: true }))
const time = 1_700_000_000
const long = `${'folder/'.repeat(18)}a-file-with-a-name`
const tree: Tree = {
  'bin/tend': { kind: 'link', to: '../lib/tend/tend' },
  'lib/tend/tend': file('#!/bin/sh\necho here\n', 0o755),
  [long]: file('x'.repeat(513)),
}

test('tar unpacks what was packed: modes, links, long names; in any order the same bytes', () => {
  const archive = join(folder, 'one.tar')
  writeFileSync(archive, tarOf(tree, time))
  execFileSync('tar', ['-C', folder, '-xf', archive])
  assert.equal(execFileSync(join(folder, 'bin/tend'), { encoding: 'utf8' }), 'here\n')
  assert.equal(readFileSync(join(folder, long), 'utf8'), 'x'.repeat(513))
  assert.equal(statSync(join(folder, long)).mtimeMs, time * 1000)
  const turned = Object.fromEntries(Object.entries(tree).toReversed())
  assert.deepEqual(tarOf(turned, time), tarOf(tree, time))
})

test('dpkg-deb reads the Debian package', async () => {
  const archive = join(folder, 'tend.deb')
  writeFileSync(archive, await debianPackage(tree, 'arm64', { time, level: 1 }))
  const field = (name: string) =>
    execFileSync('dpkg-deb', ['-f', archive, name], { encoding: 'utf8' }).trim()
  assert.equal(field('Architecture'), 'arm64')
  assert.equal(field('Package'), 'tend')
  const control = join(folder, 'control')
  execFileSync('dpkg-deb', ['-e', archive, control])
  assert.equal(readFileSync(join(control, 'conffiles'), 'utf8'), '/etc/tend/tend.yaml\n')
  const files = join(folder, 'files')
  execFileSync('dpkg-deb', ['-x', archive, files])
  execFileSync('md5sum', ['--check', '--quiet', join(control, 'md5sums')], { cwd: files })
  assert.equal(execFileSync(join(files, 'usr/bin/tend'), { encoding: 'utf8' }), 'here\n')
  const unit = readFileSync(join(files, 'usr/lib/systemd/system/tend.service'), 'utf8')
  assert.match(unit, /^ExecStart=\/usr\/bin\/tend serve/m)
  for (const script of ['postinst', 'prerm', 'postrm']) {
    execFileSync('sh', ['-n', join(control, script)])
  }
})

test('a stripped Node runs, is smaller, and differs in nothing that is loaded', () => {
  const original = readFileSync(process.execPath)
  const { program, kept } = strip(original)
  const path = join(folder, 'node')
  writeFileSync(path, program, { mode: 0o755 })
  const said = spawnSync(path, ['--print', 'process.version'], { encoding: 'utf8' })
  assert.equal(said.stdout, `${process.version}\n`, said.stderr)
  assert.ok(program.length < 0.9 * original.length, `${program.length} of ${original.length}`)
  assert.ok(kept > 0.98 * program.length)
  assert.ok(program.subarray(64, kept).equals(original.subarray(64, kept)))
  assert.throws(() => strip(Buffer.from('#!/bin/sh')), /no Linux program/)
})

test('there is a man page for each verb, and troff has nothing to say against it', (t) => {
  const pages = manPages('0.1.0', '2026-01-02')
  for (const { name } of verbs) assert.ok(`tend-${name.replaceAll(' ', '-')}.1` in pages, name)
  if (spawnSync('groff', ['--version']).status !== 0) return t.skip('groff is not here')
  const files = Object.entries(pages).map(([name, page]) => {
    const path = join(folder, name)
    if (page.kind === 'file') writeFileSync(path, page.content)
    return path
  })
  const words = ['-man', '-Tutf8', '-ww', '-z', ...files]
  assert.equal(spawnSync('groff', words, { encoding: 'utf8' }).stderr, '')
})

test('what is installed has pages for all verbs, completions for three shells, schemas, and no link that leads nowhere', () => {
  const program = join(folder, 'program')
  mkdirSync(program)
  const from = { commit: 'abc', date: '2026-01-02T00:00:00Z', time }
  const installed = installation(program, Buffer.from('node'), from)
  for (const { name } of verbs) {
    assert.ok(`share/man/man1/tend-${name.replaceAll(' ', '-')}.1.gz` in installed, name)
  }
  for (const path of [
    'share/man/man1/tend.1.gz',
    'share/bash-completion/completions/tend',
    'share/bash-completion/completions/cutepod',
    'share/zsh/vendor-completions/_tend',
    'share/fish/vendor_completions.d/tend.fish',
    'share/doc/tend/schemas/tend.schema.json',
    'share/doc/tend/packaging/monitoring/tend-rules.yaml',
    'share/doc/tend/packaging/monitoring/tend-dashboard.json',
  ]) {
    assert.ok(path in installed, path)
  }
  const paths = Object.keys(installed)
  for (const [path, entry] of Object.entries(installed)) {
    if (!path.endsWith('.md') || entry.kind !== 'file') continue
    const prose = entry.content
      .toString()
      .replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')
      .replaceAll(/`[^`\n]*`/g, '')
    for (const [, target = ''] of prose.matchAll(/\]\(([^)\s#]+)/g)) {
      if (/^[a-z]+:/.test(target)) continue
      const found = posix.join(posix.dirname(path), target)
      const isThere = paths.some((one) => one === found || one.startsWith(`${found}/`))
      assert.ok(isThere, `${path}: ${target} leads nowhere`)
    }
  }
})

test('the bill of materials names each part once, and is equal for equal parts', () => {
  const parts = [
    { name: '@tend/cli', version: '0.1.0', license: 'Apache-2.0', text: '' },
    { name: 'Node.js', version: '24.21.0', license: 'MIT', text: '' },
    { name: 'yaml', version: '2.9.1', license: 'ISC', text: '' },
  ]
  const from = { commit: 'abc', date: '2026-01-02T00:00:00Z', time }
  const bill = billOfMaterials(parts, from, { x64: 'f00' })
  assert.equal(bill, billOfMaterials(parts, from, { x64: 'f00' }))
  const { components, bomFormat, serialNumber } = JSON.parse(bill)
  assert.equal(bomFormat, 'CycloneDX')
  assert.match(serialNumber, /^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  const urls = components.map(({ purl }: { purl: string }) => purl)
  assert.deepEqual(urls, ['pkg:generic/node@24.21.0', 'pkg:npm/yaml@2.9.1'])
})
