/** Files that stay for containers: filled and put back, and nothing that a container planted there is followed. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fillKept, unfillKept } from './kept-files.ts'

const base = mkdtempSync(join(tmpdir(), 'tend-kept-'))
after(() => rmSync(base, { recursive: true }))

let number = 0

function bench(): { root: string; from: string; to: string; canary: string } {
  number += 1
  const root = join(base, String(number))
  const from = join(root, 'abc', 'conf')
  mkdirSync(join(from, 'sub'), { recursive: true })
  writeFileSync(join(from, 'a'), 'new')
  writeFileSync(join(from, 'sub', 'b'), 'b')
  const canary = join(base, `canary-${number}`)
  writeFileSync(canary, 'secret of the host')
  return { root, from, to: join(root, 'app-x', '.kept', 'conf'), canary }
}

test('filled, filled anew, and put back', () => {
  const { root, from, to } = bench()
  fillKept(root, from, to)
  assert.equal(readFileSync(join(to, 'sub', 'b'), 'utf8'), 'b')
  writeFileSync(join(from, 'a'), 'newer')
  rmSync(join(from, 'sub', 'b'))
  fillKept(root, from, to)
  assert.equal(readFileSync(join(to, 'a'), 'utf8'), 'newer')
  assert.equal(existsSync(join(to, 'sub', 'b')), false)
  unfillKept(root, to)
  assert.equal(readFileSync(join(to, 'a'), 'utf8'), 'new')
  assert.equal(readFileSync(join(to, 'sub', 'b'), 'utf8'), 'b')
})

test('filled twice with the same, as by two containers that share it, it goes back to what was before', () => {
  const { root, from, to } = bench()
  fillKept(root, from, to)
  writeFileSync(join(from, 'a'), 'newer')
  fillKept(root, from, to)
  fillKept(root, from, to)
  unfillKept(root, to)
  assert.equal(readFileSync(join(to, 'a'), 'utf8'), 'new')
})

test('a file that became a program is one in the kept folder too', () => {
  const { root, from, to } = bench()
  fillKept(root, from, to)
  chmodSync(join(from, 'a'), 0o755)
  fillKept(root, from, to)
  assert.equal(statSync(join(to, 'a')).mode & 0o777, 0o755)
})

test('a planted link is refused, and what it leads to is neither read nor written', () => {
  const { root, from, to, canary } = bench()
  fillKept(root, from, to)
  rmSync(join(to, 'a'))
  symlinkSync(canary, join(to, 'a'))
  assert.throws(() => fillKept(root, from, to), /app-x\/.kept\/conf\/a is a link/)
  const before = join(root, 'app-x', '.kept-before', 'conf', 'a')
  assert.equal(existsSync(before) && readFileSync(before, 'utf8').includes('secret'), false)
  assert.equal(readFileSync(canary, 'utf8'), 'secret of the host')
})

test('a planted folder of links is refused', () => {
  const { root, from, to } = bench()
  mkdirSync(join(root, 'app-x'), { recursive: true })
  symlinkSync(base, join(root, 'app-x', '.kept'))
  assert.throws(() => fillKept(root, from, to), /stands where a folder/)
})

test('a pipe is not waited for', () => {
  const { root, from, to } = bench()
  fillKept(root, from, to)
  rmSync(join(to, 'a'))
  execFileSync('mkfifo', [join(to, 'a')])
  assert.throws(() => fillKept(root, from, to), /is a link, a pipe or a device/)
})
