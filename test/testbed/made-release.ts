/** A release of this checkout for tests, made once for each state of its files: every file of test/release tries the same one. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** TEND_RELEASE names two folders, with `:` between, to try a release that was made before. */
export function madeRelease(): string {
  const [given] = process.env['TEND_RELEASE']?.split(':') ?? []
  if (given !== undefined) return given
  const place = resolve('node_modules/.cache/tend-release')
  const folder = join(place, stateOfFiles())
  if (existsSync(folder)) return folder
  mkdirSync(place, { recursive: true })
  for (const old of readdirSync(place)) rmSync(join(place, old), { recursive: true })
  const beside = `${folder}-${process.pid}`
  makeRelease(beside)
  renameSync(beside, folder)
  return folder
}

/** Packed with less care than a real one: sooner made, a little larger. */
export function makeRelease(into: string): void {
  execFileSync(process.execPath, ['release/release.ts', '--quick', '--into', into])
}

/** The commit, and a hash of every file that Git would take, as it lies there now. */
function stateOfFiles(): string {
  const scratch = mkdtempSync(join(tmpdir(), 'tend-index-'))
  const env = { ...process.env, GIT_INDEX_FILE: join(scratch, 'index') }
  const git = (...words: readonly string[]) =>
    execFileSync('git', words, { env, encoding: 'utf8' }).trim()
  try {
    git('add', '--all')
    return `${git('rev-parse', 'HEAD')}-${git('write-tree')}`
  } finally {
    rmSync(scratch, { recursive: true })
  }
}
