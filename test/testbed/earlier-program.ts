/** An earlier version of the program, out of the history of this repository, and a launcher that is first that one and then today's. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

export type EarlierProgram = {
  /** Where all of the earlier one is. */
  readonly source: string
  /** A link to a launcher. */
  readonly launcher: string
  /** From now on the link leads to the earlier one, or to today's. */
  use(which: 'earlier' | 'today'): void
  remove(): void
}

/** Its packages are among today's, in the same versions. */
export function earlierProgram(commit: string): EarlierProgram {
  const folder = mkdtempSync(join(tmpdir(), 'tend-earlier-'))
  const source = join(folder, 'source')
  mkdirSync(source)
  const archive = execFileSync('git', ['archive', commit], { maxBuffer: 1 << 30 })
  execFileSync('tar', ['-x', '-C', source], { input: archive })
  symlinkSync(resolve('node_modules'), join(source, 'node_modules'))
  const launcher = join(folder, 'tend')
  const launchers = { earlier: join(source, 'bin/tend'), today: resolve('bin/tend') }
  function use(which: 'earlier' | 'today'): void {
    symlinkSync(launchers[which], `${launcher}.new`)
    renameSync(`${launcher}.new`, launcher)
  }
  use('earlier')
  return { source, launcher, use, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
