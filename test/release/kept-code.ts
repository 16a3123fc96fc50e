/** The machine code that a release keeps does not depend on the machine that makes it: how quick it is, and what else it has and does. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { keepCode, stillTime } from '../../release/keep-code.ts'
import { makeProgram } from '../../release/program.ts'

/** Runs a program that stands still most of the time, as one does that an emulator runs beside others. */
const slowed = `#!/bin/sh
me=$$
(exec > /dev/null 2>&1
while sleep 0.1 && kill -STOP $me; do sleep 1; kill -CONT $me; done) &
exec "$@"
`

/** The ports of the examples, as another program takes them; whoever has one already serves as well. */
async function taken(t: TestContext): Promise<void> {
  for (const port of [8088, 8081]) {
    const server = createServer()
    t.after(() => server.close())
    await new Promise<void>((done) => server.once('error', () => done()).listen(port, done))
  }
}

await test('a machine that is ten times slower, with ports taken and a docker compose, keeps the same code', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tend-kept-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const [program, wrapper] = [join(folder, 'program'), join(folder, 'slowed')]
  mkdirSync(program)
  writeFileSync(wrapper, slowed, { mode: 0o755 })
  await makeProgram(program)
  const codes = async (name: string, node: readonly string[]) => {
    const own = join(folder, name)
    cpSync(program, own, { recursive: true })
    await keepCode(own, node)
    const files = globSync(join(own, '*.code')).toSorted()
    return files.map((file) => ({ file: file.slice(own.length), content: readFileSync(file) }))
  }
  const quick = await codes('quick', [process.execPath])
  await taken(t)
  writeFileSync(join(folder, 'docker-compose'), '#!/bin/sh\necho 5.5.1\n', { mode: 0o755 })
  process.env['PATH'] = `${folder}:${process.env['PATH']}`
  const slow = await codes('slow', [wrapper, process.execPath])
  assert.ok(quick.length > 20)
  assert.deepEqual(
    slow.map(({ file }) => file),
    quick.map(({ file }) => file),
  )
  for (const [index, { file, content }] of quick.entries()) {
    assert.ok(slow[index]?.content.equals(content), `${file} differs`)
  }
})

await test('no limit on time runs out while code is kept, however slow the machine is', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tend-still-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const still = join(folder, 'still.cjs')
  writeFileSync(still, stillTime)
  const limits = `const { createServer, connect } = require('node:net'), told = []
    AbortSignal.timeout(1).addEventListener('abort', () => told.push('aborted'))
    setTimeout(() => told.push('a second'), 1000)
    const server = createServer().listen(0, '127.0.0.1', () =>
      connect(server.address().port).setTimeout(1, () => told.push('silent')))
    const began = process.hrtime.bigint()
    const look = () => {
      if (process.hrtime.bigint() - began < 1_500_000_000n) return setTimeout(look, 50)
      console.log(told.join())
      process.exit()
    }
    look()`
  const told = (...words: readonly string[]) =>
    execFileSync(process.execPath, [...words, '--eval', limits], { encoding: 'utf8' })
  assert.equal(told('--require', still), '\n')
  assert.equal(told(), 'aborted,silent,a second\n')
})
