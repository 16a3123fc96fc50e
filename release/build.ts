/** `npm run build`: the program in dist/, for the Node that runs this, with its machine code beside it. */
import { mkdirSync, rmSync, statSync, readdirSync } from 'node:fs'
import { keepCode } from './keep-code.ts'
import { makeProgram } from './program.ts'

rmSync('dist', { recursive: true, force: true })
mkdirSync('dist')
await makeProgram('dist')
await keepCode('dist', [process.execPath])
for (const file of readdirSync('dist')) {
  console.log(`dist/${file.padEnd(22)} ${Math.ceil(statSync(`dist/${file}`).size / 1024)} KB`)
}
