import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outputLines, type Output } from '#clients/docker/output-frames.ts'

test('a line that never ends is cut, in time and memory that do not grow with the square of it', async () => {
  const piece = Buffer.alloc(16 * 1024, 'x')
  async function* endless(): AsyncIterable<Output> {
    for (let i = 0; i < 10_000; i += 1) yield { from: 'stdout', bytes: piece }
    yield { from: 'stdout', bytes: Buffer.from('y\nshort\n') }
  }
  const lines: string[] = []
  const begun = process.cpuUsage()
  for await (const { line } of outputLines(endless())) lines.push(line)
  const { user } = process.cpuUsage(begun)
  assert.deepEqual(
    lines.map((line) => line.length),
    [64 * 1024, 5],
  )
  assert.ok(user < 5_000_000, `${user} µs`)
})
