/** What a directory gives, and that nothing leads out of it. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Problem } from '#model/problem.ts'
import { readOpened } from './confined.ts'
import { directoryTree } from './directory.ts'
import { revisionOf } from './revision.ts'

describe('a directory as a tree', () => {
  let scratch = ''
  let made = 0
  before(() => {
    scratch = mkdtempSync(join(tmpdir(), 'tend-directory-'))
  })
  after(() => {
    rmSync(scratch, { recursive: true })
  })

  function folder(files: Record<string, string>): string {
    made += 1
    const root = join(scratch, `app-${made}`)
    mkdirSync(root)
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    return root
  }

  function refused(message: RegExp): (error: unknown) => boolean {
    return (error) => {
      assert.ok(error instanceof Problem)
      assert.deepEqual([error.type, error.code], ['configuration', 'chart_unreadable'])
      assert.match(error.message, message)
      return true
    }
  }

  function textOf(content: Uint8Array | undefined): string | undefined {
    return content === undefined ? undefined : new TextDecoder().decode(content)
  }

  test('lists files sorted, with /, below a folder', () => {
    const root = folder({ 'b.yaml': '', 'a/z.yaml': '', 'a/b/c.yaml': '', 'ab/x.yaml': '' })
    const tree = directoryTree(root)
    assert.equal(tree.root, root)
    assert.deepEqual(tree.list(''), ['a/b/c.yaml', 'a/z.yaml', 'ab/x.yaml', 'b.yaml'])
    assert.deepEqual(tree.list('a'), ['a/b/c.yaml', 'a/z.yaml'])
    assert.deepEqual(tree.list('./a/'), ['a/b/c.yaml', 'a/z.yaml'])
    assert.deepEqual(tree.list('nothing'), [])
  })

  test('reads files; what is no file is undefined', () => {
    const tree = directoryTree(folder({ 'a/b.yaml': 'hello' }))
    assert.equal(textOf(tree.read('a/b.yaml')), 'hello')
    assert.equal(textOf(tree.read('a/../a/./b.yaml')), 'hello')
    for (const path of ['a', '', '.', 'nothing', 'a/b.yaml/c', 'a/nothing/c']) {
      assert.equal(tree.read(path), undefined, path)
    }
  })

  test('what was read or listed once stays as it was', () => {
    const root = folder({ 'a.yaml': 'one' })
    const tree = directoryTree(root)
    tree.list('')
    tree.read('a.yaml')
    writeFileSync(join(root, 'a.yaml'), 'two')
    writeFileSync(join(root, 'b.yaml'), '')
    assert.equal(textOf(tree.read('a.yaml')), 'one')
    assert.deepEqual(tree.list(''), ['a.yaml'])
  })

  test('refuses paths that leave it by .. or from the top', () => {
    const tree = directoryTree(folder({ 'a.yaml': '' }))
    for (const path of ['..', '../x', 'a/../../x', '/etc/passwd', 'a\0b']) {
      assert.throws(() => tree.read(path), refused(/leaves .*app-/), path)
      assert.throws(() => tree.list(path), refused(/leaves .*app-/), path)
    }
  })

  test('follows links inside it', () => {
    const root = folder({ 'real/a.yaml': 'x' })
    symlinkSync('real/a.yaml', join(root, 'file.yaml'))
    symlinkSync('real', join(root, 'folder'))
    symlinkSync(join(root, 'real/a.yaml'), join(root, 'absolute.yaml'))
    const tree = directoryTree(root)
    const expected = ['absolute.yaml', 'file.yaml', 'folder/a.yaml', 'real/a.yaml']
    assert.deepEqual(tree.list(''), expected)
    for (const path of expected) assert.equal(textOf(tree.read(path)), 'x', path)
  })

  test('may itself be reached through a link', () => {
    const root = folder({ 'a.yaml': 'x' })
    symlinkSync(root, `${root}-link`)
    assert.equal(textOf(directoryTree(`${root}-link`).read('a.yaml')), 'x')
  })

  test('refuses links that lead out, naming the link and where it leads', () => {
    const beside = folder({ 'secret.txt': 'x' })
    for (const target of ['/etc/passwd', '../../', beside, join(beside, 'secret.txt')]) {
      const root = folder({ 'a/b/c.yaml': '' })
      symlinkSync(target, join(root, 'a/out'))
      const tree = directoryTree(root)
      const named = /app-\d+\/a\/out is a link to .*, outside of/
      assert.throws(() => tree.read('a/out'), refused(named), target)
      assert.throws(() => tree.list(''), refused(named), target)
    }
  })

  test('names the folder link when a file behind it is asked for', () => {
    const beside = folder({ 'deep/secret.txt': 'x' })
    const root = folder({ 'a/b.yaml': '' })
    symlinkSync(beside, join(root, 'a/out'))
    const tree = directoryTree(root)
    assert.throws(() => tree.read('a/out/deep/secret.txt'), refused(/\/a\/out is a link to/))
  })

  test('a root whose name begins like another is not inside it', () => {
    const root = folder({ 'a.yaml': '' })
    mkdirSync(`${root}-more`)
    writeFileSync(`${root}-more/secret`, 'x')
    symlinkSync(`${root}-more/secret`, join(root, 'out'))
    assert.throws(() => directoryTree(root).read('out'), refused(/outside of/))
  })

  test('refuses links that go in circles or nowhere', () => {
    const circle = folder({ 'a/b.yaml': '' })
    symlinkSync('..', join(circle, 'a/up'))
    assert.throws(() => directoryTree(circle).list(''), refused(/a\/up leads back to itself/))
    const two = folder({ 'a/1': '', 'b/2': '' })
    symlinkSync('../b', join(two, 'a/x'))
    symlinkSync('../a', join(two, 'b/y'))
    assert.throws(() => directoryTree(two).list(''), refused(/leads back to itself/))
    const self = folder({})
    symlinkSync('me', join(self, 'me'))
    assert.throws(() => directoryTree(self).read('me'), refused(/me leads back to itself/))
    const nowhere = folder({})
    symlinkSync('gone.yaml', join(nowhere, 'a.yaml'))
    assert.throws(() => directoryTree(nowhere).list(''), refused(/a\.yaml is a link to gone\.yaml/))
    assert.equal(directoryTree(nowhere).read('a.yaml'), undefined)
  })

  test('leaves out .git, what .helmignore names, pipes, and locks of editors', () => {
    const root = folder({
      '.git/config': '',
      'sub/.git': 'gitdir: elsewhere',
      'node_modules/x.yaml': '',
      '.helmignore': '# not ours\n*.bak\n/top.yaml\ndocs/\n!keep.bak\n',
      'top.yaml': '',
      'sub/top.yaml': '',
      'a.bak': '',
      'keep.bak': '',
      'docs/readme.yaml': '',
      'sub/docs/readme.yaml': '',
    })
    symlinkSync('me@host.4711', join(root, '.#sub.yaml'))
    execFileSync('mkfifo', [join(root, 'pipe.yaml')])
    const tree = directoryTree(root)
    const expected = ['.helmignore', 'keep.bak', 'node_modules/x.yaml', 'sub/top.yaml']
    assert.deepEqual(tree.list(''), expected)
    for (const path of ['.git/config', 'a.bak', 'docs/readme.yaml', 'sub/docs/readme.yaml']) {
      assert.equal(tree.read(path), undefined, path)
    }
    assert.throws(() => tree.read('pipe.yaml'), refused(/is a pipe/))
  })

  test('refuses what is too large or too much', () => {
    const root = folder({ 'big.bin': '' })
    truncateSync(join(root, 'big.bin'), 10 * 1024 * 1024 + 1)
    const tree = directoryTree(root)
    assert.throws(() => tree.read('big.bin'), refused(/big\.bin is too large: 11 MB/))
    const many = folder({})
    for (let i = 0; i < 5001; i++) writeFileSync(join(many, `${i}`), '')
    assert.throws(() => directoryTree(many).list(''), refused(/more than 5000 files/))
    rmSync(join(many, '0'))
    assert.equal(directoryTree(many).list('').length, 5000)
  })

  test('says plainly what is wrong with the root', () => {
    assert.throws(() => directoryTree(join(scratch, 'no')), refused(/there is no folder .*\/no/))
    const root = folder({ 'a.yaml': '' })
    assert.throws(() => directoryTree(join(root, 'a.yaml')), refused(/is a file, not a folder/))
  })

  test('the revision follows names and contents, and nothing else', () => {
    const first = revisionOf(directoryTree(folder({ a: '1', 'b/c': '2' })))
    assert.match(first, /^[0-9a-f]{12}$/)
    assert.equal(revisionOf(directoryTree(folder({ 'b/c': '2', a: '1' }))), first)
    for (const other of [
      { a: '1', 'b/c': '3' },
      { a: '1', 'b/d': '2' },
      { a: '12', 'b/c': '' },
    ]) {
      assert.notEqual(revisionOf(directoryTree(folder(other))), first)
    }
  })

  test('a link that is put on the way after a path was resolved is not read through', () => {
    const path = folder({ 'data/file': 'own' })
    const root = { shown: 'app', real: realpathSync(path) }
    const real = join(root.real, 'data/file')
    assert.equal(Buffer.from(readOpened(root, 'data/file', real)).toString(), 'own')
    rmSync(join(path, 'data'), { recursive: true })
    const outside = join(scratch, 'outside-of-all')
    mkdirSync(outside)
    writeFileSync(join(outside, 'file'), 'of the host')
    symlinkSync(outside, join(path, 'data'))
    assert.throws(() => readOpened(root, 'data/file', real), /app\/data\/file leads out of app/)
  })
})
