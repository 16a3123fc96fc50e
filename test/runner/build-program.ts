/** Builds the Tend that tests start, as `npm run build` does; once for each state of the source. */
import { createHash } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { keepCode } from '../../release/keep-code.ts'
import { origin } from '../../release/origin.ts'
import { makeProgram } from '../../release/program.ts'

const sources = ['src/**', 'web/src/**', 'web/build.ts', 'release/**', 'package*.json']

/** The path of its launcher. */
export async function builtProgram(): Promise<string> {
  const place = resolve('node_modules/.cache/tend-program')
  const folder = join(place, stateOfSource())
  const launcher = join(folder, 'tend')
  if (existsSync(launcher)) return launcher
  const beside = `${folder}-${process.pid}`
  mkdirSync(beside, { recursive: true })
  await makeProgram(beside)
  await keepCode(beside, [process.execPath])
  symlinkSync(process.execPath, join(beside, 'node'))
  try {
    renameSync(beside, folder)
  } catch {
    // another run made the same meanwhile
    rmSync(beside, { recursive: true })
  }
  removeOld(place, folder)
  return launcher
}

/** Which commit it is made from is a part of the program. */
function stateOfSource(): string {
  const hash = createHash('sha256').update(JSON.stringify(origin()))
  for (const file of globSync(sources).toSorted()) {
    if (file.endsWith('.test.ts') || !statSync(file).isFile()) continue
    hash.update(`${file}\n`).update(readFileSync(file))
  }
  return hash.digest('hex').slice(0, 16)
}

/** Of earlier states; a run that still goes on has a day to end. */
function removeOld(place: string, folder: string): void {
  for (const name of readdirSync(place)) {
    const path = join(place, name)
    const isOld = path !== folder && Date.now() - statSync(path).mtimeMs > 24 * 3_600_000
    if (isOld) rmSync(path, { recursive: true, force: true })
  }
}
