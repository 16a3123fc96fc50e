/** Repositories to test with, made by the real git, and a git on the PATH that writes down how it is called. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { whereIs } from './packages.ts'

export type Bench = {
  readonly folder: string
  /** The bare repository that is served, and a clone to commit in. */
  readonly bare: string
  readonly work: string
  /** The environment with the git that takes notes. */
  readonly environment: Readonly<Record<string, string | undefined>>
  git(...words: readonly string[]): string
  /** Writes files (null: removes), commits, pushes; the commit's id. */
  commit(message: string, files: Readonly<Record<string, string | null>>): string
  /** First words of the git calls since the last time it was asked. */
  calls(): readonly string[]
  /** Everything that a child saw on its command line. */
  seen(): string
  remove(): void
}

export type BenchNames = {
  /** One that is not there yet; a scratch folder unless said. */
  readonly folder?: string
  /** Whose name is on the commits. */
  readonly author?: string
}

export function gitBench({ folder: wanted, author: name = 'A' }: BenchNames = {}): Bench {
  if (wanted !== undefined) mkdirSync(wanted)
  const folder = wanted ?? mkdtempSync(join(tmpdir(), 'tend-git-'))
  const [bare, work, notes] = [
    join(folder, 'infra.git'),
    join(folder, 'work'),
    join(folder, 'notes'),
  ]
  writeFileSync(notes, '')
  function git(...words: readonly string[]): string {
    const options = { cwd: work, env: author(name), encoding: 'utf8', stdio: 'pipe' } as const
    return execFileSync('git', words, options).trim()
  }
  mkdirSync(work)
  git('init', '-q', '--bare', '-b', 'main', bare)
  git('init', '-q', '-b', 'main', work)
  git('remote', 'add', 'origin', bare)
  const programs = join(folder, 'bin')
  mkdirSync(programs)
  const script = `#!/bin/sh\nprintf '%s\\n' "$*" >> ${notes}\nexec ${whereIs('git')} "$@"\n`
  writeFileSync(join(programs, 'git'), script, { mode: 0o755 })

  function commit(message: string, files: Readonly<Record<string, string | null>>): string {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(work, path)), { recursive: true })
      if (text === null) rmSync(join(work, path))
      else writeFileSync(join(work, path), text)
      if (text !== null && path.endsWith('.sh')) chmodSync(join(work, path), 0o755)
    }
    git('add', '-A')
    git('commit', '-q', '--allow-empty', '-m', message)
    git('push', '-q', '--force', 'origin', 'HEAD')
    return git('rev-parse', 'HEAD')
  }

  let read = 0
  function calls(): readonly string[] {
    const lines = readFileSync(notes, 'utf8').split('\n').slice(0, -1)
    const fresh = lines.slice(read)
    read = lines.length
    return fresh.map((line) => line.split(' ').find((word) => !word.startsWith('-')) ?? '')
  }

  return {
    folder,
    bare,
    work,
    environment: { ...process.env, PATH: `${programs}:${process.env['PATH']}` },
    git,
    commit,
    calls,
    seen: () => readFileSync(notes, 'utf8'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function author(name: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: 'a@example.org',
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: 'a@example.org',
  }
}
