import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { CommandError, type CommandFacts } from './command-error.ts'
import { run, type Command } from './run.ts'

const { signal } = new AbortController()

function shell(script: string, more: Partial<Command> = {}): Command {
  return { program: 'sh', arguments: ['-c', script], signal, ...more }
}

function failsWith(facts: Partial<CommandFacts>, message: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof CommandError, String(error))
    assert.deepEqual({ ...error.facts, ...facts }, error.facts)
    assert.match(error.message, message)
    return true
  }
}

/** Gone, or dead and only waiting for somebody to count it. */
async function isGone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (!existsSync(`/proc/${pid}`)) return true
    if (/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) return true
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return false
}

test('gives back what was said on both streams; input goes in', async () => {
  const ran = await run(shell('cat; echo oops >&2', { input: 'in' }))
  assert.deepEqual([ran.output.toString(), ran.errorOutput, ran.exitCode], ['in', 'oops\n', 0])
})

test('input that nobody reads is no error', async () => {
  await run(shell('exit 0', { input: Buffer.alloc(1024 * 1024) }))
})

test('an exit code is an error with the last words, unless it is fine', async () => {
  const command = shell('echo first >&2; echo last >&2; exit 3')
  const error = failsWith({ exitCode: 3, hasTimedOut: false }, /sh ended with code 3: first\nlast/)
  await assert.rejects(run(command), error)
  assert.equal((await run({ ...command, fine: [3] })).exitCode, 3)
})

test('a program that is not there says so', async () => {
  const missing = { program: 'no-such-program-of-tend', arguments: [], signal }
  const error = failsWith({ startFailure: 'ENOENT' }, /no-such-program-of-tend is not installed/)
  await assert.rejects(run(missing), error)
})

test('only what it was given is in its environment', async () => {
  const ran = await run(
    shell('echo $A$HOME', { environment: { PATH: process.env['PATH'], A: '1' } }),
  )
  assert.equal(ran.output.toString(), '1\n')
})

test('a time limit ends it and all it started', async () => {
  let child = 0
  const script = 'sleep 60 & echo $! >&2; wait'
  await assert.rejects(run(shell(script, { limit: 100 })), (error: unknown) => {
    child = Number(error instanceof CommandError ? error.facts.errorOutput : 0)
    return failsWith({ hasTimedOut: true, killedBy: 'SIGTERM' }, /took too long/)(error)
  })
  assert.ok(child > 0 && (await isGone(child)))
})

test('aborting ends it, by force when it does not listen', async () => {
  const control = new AbortController()
  const script = `trap '' TERM; while :; do sleep 0.05; done`
  const running = run(shell(script, { signal: control.signal, grace: 50 }))
  setTimeout(() => control.abort(new Error('enough')), 50)
  await assert.rejects(running, /enough/)
  await assert.rejects(run(shell('exit 0', { signal: control.signal })), /enough/)
})

test('what it leaves running in the background is not waited for', async () => {
  const ran = await run(shell('sleep 5 & echo $!'))
  process.kill(Number(ran.output.toString()), 'SIGKILL')
})

test('too much output is an error, not all of memory', async () => {
  await assert.rejects(run(shell('yes', { most: 10_000 })), /more than 10000 bytes/)
})

test('what a program wrote before it ended is read however busy this process is', async () => {
  // When a child ends, all are asked whether they did: one that ends while the output of another is being read is
  // known to have ended before its own output is seen.
  const first = spawn('sh', ['-c', 'echo'])
  first.stdout.once('data', () => block(1500))
  const ran = run(shell('sleep 1; echo out'))
  const last = spawn('sleep', ['1'])
  last.once('exit', () => block(400))
  block(500)
  assert.equal((await ran).output.toString(), 'out\n')
})

function block(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}
