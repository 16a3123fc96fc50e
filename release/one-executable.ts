/** Tend as one executable: a Node with the program, its kept code, the dashboard and the list of licences inside. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { embed } from './embed.ts'
import { filesIn } from './tree.ts'

/** What a launcher or npm needs, and nobody else. */
const leftOut = new Set(['tend', 'tend.cjs', 'package.json'])

/** `program` is the folder of the bundles and their code, `node` the executable that they are put into. */
export function oneExecutable(program: string, node: Buffer): Buffer {
  const scratch = mkdtempSync(join(tmpdir(), 'tend-executable-'))
  try {
    const blob = join(scratch, 'blob')
    const settings = {
      // as it is told here it stands in the blob: without the folder, so that two builds give equal bytes
      main: 'tend.cjs',
      output: blob,
      disableExperimentalSEAWarning: true,
      assets: assetsOf(program),
    }
    const config = join(scratch, 'config.json')
    writeFileSync(config, JSON.stringify(settings))
    // what it writes to say that all went well is only shown where it did not
    execFileSync(process.execPath, ['--experimental-sea-config', config], {
      cwd: resolve(program),
      stdio: 'pipe',
    })
    return embed(node, readFileSync(blob))
  } finally {
    rmSync(scratch, { recursive: true })
  }
}

function assetsOf(program: string): Readonly<Record<string, string>> {
  const names = Object.keys(filesIn(program, '.')).map((path) => path.slice('./'.length))
  const inside = names.filter((name) => !leftOut.has(name) && !name.endsWith('.LEGAL.txt'))
  return Object.fromEntries(inside.toSorted().map((name) => [name, name]))
}
