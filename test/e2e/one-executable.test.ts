/** A program and its files inside a Node: found there, and nowhere else, with the rights and limits of a plain Node. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { embed } from '../../release/embed.ts'
import { oneExecutable } from '../../release/one-executable.ts'
import { strip } from '../../release/strip.ts'

const script = `const { getAsset, getAssetKeys, isSea } = require('node:sea')
console.log(JSON.stringify({
  isSea: isSea(),
  words: process.argv.slice(2),
  names: getAssetKeys(),
  page: getAsset('web/index.html', 'utf8'),
  heap: require('node:v8').getHeapStatistics().heap_size_limit,
}))`

test('one executable has its program and files inside, equal in every run, and no other', (t) => {
  const scratch = mkdtempSync(join(tmpdir(), 'tend-one-'))
  t.after(() => rmSync(scratch, { recursive: true }))
  const node = strip(readFileSync(process.execPath)).program
  const make = (name: string): Buffer => {
    const folder = join(scratch, name)
    mkdirSync(join(folder, 'web'), { recursive: true })
    writeFileSync(join(folder, 'tend.cjs'), script)
    writeFileSync(join(folder, 'tend'), 'a launcher, which has no place inside')
    writeFileSync(join(folder, 'work.code'), Buffer.from([0, 255, 7]))
    writeFileSync(join(folder, 'web/index.html'), '<h1>Tend</h1>')
    return oneExecutable(folder, node)
  }
  const made = make('first')
  assert.ok(made.equals(make('second')), 'two runs differ')
  const file = join(scratch, 'any name')
  writeFileSync(file, made)
  chmodSync(file, 0o755)
  rmSync(join(scratch, 'first'), { recursive: true })

  const env = { NODE_OPTIONS: '--max-old-space-size=100' }
  const said = spawnSync(file, ['--version', '--', 'x'], { env, encoding: 'utf8' })
  assert.equal(said.stderr, '')
  const { heap, ...rest } = JSON.parse(said.stdout)
  assert.deepEqual(rest, {
    isSea: true,
    words: ['--version', '--', 'x'],
    names: ['web/index.html', 'work.code'],
    page: '<h1>Tend</h1>',
  })
  const limit = "require('node:v8').getHeapStatistics().heap_size_limit"
  const plain = spawnSync(process.execPath, ['--print', limit], { env, encoding: 'utf8' })
  assert.equal(heap, Number(plain.stdout))
  // one that has a program inside takes no second one
  assert.throws(() => embed(made, Buffer.from('x')), /does not have the one mark/)
  assert.throws(() => embed(Buffer.from('#!/bin/sh\n'), Buffer.from('x')), /no Linux program/)
})
