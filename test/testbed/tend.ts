/** The program as a user has it, on a Podman of its own, with charts in a scratch folder. */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { tendProgram } from './program.ts'

export type Told = { readonly code: number | null; readonly out: string; readonly err: string }

export type Going = {
  readonly child: ChildProcess
  readonly told: Promise<Told>
  /** What it wrote so far. */
  out(): string
  err(): string
}

export type Tend = {
  readonly folder: string
  /** Runs it to its end. Words are separated by single spaces. */
  readonly tend: (line: string, environment?: Record<string, string>) => Promise<Told>
  /** Starts it and lets it go on. */
  readonly start: (line: string, environment?: Record<string, string>) => Going
  /** Writes files below the scratch folder: `{ 'shop/Chart.yaml': '…' }`. */
  readonly write: (files: Readonly<Record<string, string>>) => void
  readonly remove: () => void
}

export function tendOn(socket: string, program = tendProgram()): Tend {
  const folder = mkdtempSync(join(tmpdir(), 'tend-e2e-'))
  const launcher = resolve(program)

  function start(line: string, environment: Record<string, string> = {}): Going {
    const own = { TEND_HOME: join(folder, 'home'), CONTAINER_HOST: `unix://${socket}` }
    const env = { ...process.env, ...own, ...environment }
    const child = spawn(launcher, line.split(' '), { cwd: folder, env, stdio: 'pipe' })
    const texts = { out: '', err: '' }
    child.stdout.setEncoding('utf8').on('data', (part: string) => (texts.out += part))
    child.stderr.setEncoding('utf8').on('data', (part: string) => (texts.err += part))
    const told = new Promise<Told>((done, fail) => {
      child.on('error', fail)
      child.on('close', (code) => done({ code, ...texts }))
    })
    return { child, told, out: () => texts.out, err: () => texts.err }
  }

  return {
    folder,
    start,
    tend: (line, environment) => start(line, environment).told,
    write(files) {
      for (const [path, text] of Object.entries(files)) {
        const file = join(folder, path)
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, text)
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
