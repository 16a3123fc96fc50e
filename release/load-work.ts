/**
 * Stands in the release for the import of everything else: loads it with the machine code that the build kept beside it,
 * so that nothing is compiled at start-up. Code of another Node is refused by the engine itself and costs nothing but the time.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Script } from 'node:vm'

type Work = typeof import('../src/cli/work.ts')

const file = join(__dirname, 'work.cjs')
const kept = join(__dirname, 'work.code')

const found: { exports: Partial<Work> } = { exports: {} }
// The build writes it in plain ASCII and as the function that Node would make of it: nothing is left to be copied.
const script = new Script(readFileSync(file, 'latin1'), { filename: file, cachedData: keptCode() })
script.runInThisContext()(found.exports, require, found, file, __dirname)

/** The build asks for it: what was compiled by the end of this run is worth keeping. */
if (process.env['TEND_KEEP_CODE'] !== undefined) {
  process.on('exit', () => writeFileSync(kept, script.createCachedData()))
}

function keptCode(): Buffer | undefined {
  try {
    return readFileSync(kept)
  } catch {
    return undefined
  }
}

export const { answer, refuse, work } = found.exports
