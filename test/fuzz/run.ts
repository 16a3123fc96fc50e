/** `npm run test:fuzz -- [INPUTS] [SEED]`: 100,000 unless said. Ends with 1 if a reader crashed, hung or took too much. */
import { Worker } from 'node:worker_threads'
import { fuzz } from './fuzz.ts'

const [inputs = '100000', seed = String(Date.now() % 1_000_000)] = process.argv.slice(2)

/** A reader that never comes back would keep this from saying so. */
const beat = new SharedArrayBuffer(4)
new Worker(
  `const { workerData, parentPort } = require('node:worker_threads')
   const { writeSync } = require('node:fs')
   const beat = new Int32Array(workerData)
   let last = -1
   setInterval(() => {
     if (beat[0] === last) { writeSync(2, 'a reader hangs: nothing came of it for a minute\\n'); process.kill(process.pid, 'SIGKILL') }
     last = beat[0]
   }, 60000)`,
  { eval: true, workerData: beat },
).unref()
const counter = new Int32Array(beat)
setInterval(() => (counter[0] = (counter[0] ?? 0) + 1), 1_000).unref()

const {
  inputs: done,
  findings,
  slowest,
} = await fuzz(Number(inputs), Number(seed), (line) => {
  console.log(line)
})
for (const { parser, what, text } of findings.slice(0, 20)) {
  console.log(`\n✗ ${parser}: ${what}\n${JSON.stringify(text.slice(0, 2_000))}`)
}
console.log(
  `\n${done} inputs, seed ${seed}: ${findings.length} findings, the slowest took ${slowest.toFixed(0)} ms`,
)
process.exit(findings.length === 0 ? 0 : 1)
