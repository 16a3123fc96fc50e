/** Runs one test file, or all that are beside the code, in a process of its own, and tells what came of it. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Counts, Failed } from './outcome.ts'
import { openProcessor } from './processor.ts'

export type Job = {
  /** For people and for the book of seconds. */
  readonly name: string
  readonly files: readonly string[]
}

export type Ended = {
  readonly job: Job
  readonly seconds: number
  /** Seconds of processor time, where they were asked for. */
  readonly processor: number | undefined
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly failures: readonly Failed[]
  /** Everything that it wrote. */
  readonly text: string
}

export type JobOptions = {
  /** Only tests whose name has this text. */
  readonly name?: string
  /** Output goes to the terminal as it comes. */
  readonly isShown: boolean
  /** Also tells the processor time. */
  readonly isMeasured?: boolean
  readonly environment: Readonly<Record<string, string>>
}

/** A test that failed may leave something running: its file ends all the same. */
const minutes = process.env['TEND_FAULTS'] === 'all' ? 180 : 15

/** What Node made of the sources is kept, as bin/tend does: hundreds of processes load the same files in a run. */
const compiled = resolve('node_modules/.cache/node')

/**
 * For daemons that are written in Go: a control plane starts with a fifth less processor time when they look for garbage only after
 * their memory has grown fivefold.
 */
const rareGarbage = '400'

export async function runJob(job: Job, options: JobOptions): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'tend-outcome-'))
  const outcome = join(folder, 'outcome')
  const begun = Date.now()
  try {
    const child = spawn(process.execPath, wordsFor(job, options, outcome), {
      env: {
        NODE_COMPILE_CACHE: compiled,
        GOGC: rareGarbage,
        ...process.env,
        ...options.environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const processor = options.isMeasured === true ? openProcessor(String(child.pid)) : undefined
    if (child.pid !== undefined) processor?.add(child.pid)
    const parts: string[] = []
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        parts.push(text)
        if (options.isShown) process.stdout.write(text)
      })
    }
    let isLate = false
    const limit = setTimeout(() => {
      isLate = true
      child.kill('SIGKILL')
    }, minutes * 60_000)
    const code = await new Promise<number | string | null>((resolve) => {
      child.on('error', (error) => resolve(error.message))
      // what a killed test left running may hold the other end of a pipe: that is not waited for
      child.on('exit', (status, signal) => setTimeout(() => resolve(signal ?? status), 50))
      child.on('close', (status, signal) => resolve(signal ?? status))
    })
    clearTimeout(limit)
    const used = processor?.seconds()
    processor?.close()
    if (isLate) parts.push(`\n${job.name} was ended after ${minutes} minutes\n`)
    return {
      ...read(outcome, code, job),
      job,
      seconds: (Date.now() - begun) / 1000,
      processor: used,
      text: parts.join(''),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function wordsFor(job: Job, { name }: JobOptions, outcome: string): readonly string[] {
  return [
    '--test',
    '--test-isolation=none',
    '--test-force-exit',
    ...(name === undefined
      ? []
      : [`--test-name-pattern=${name.replace(/[$()*+./?[\\\]^{|}-]/g, '\\$&')}`]),
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${join(import.meta.dirname, 'outcome.ts')}`,
    `--test-reporter-destination=${outcome}`,
    ...job.files,
  ]
}

/** A process that ended badly without a failed test (killed, or ended by itself in the middle) counts as one failure. */
function read(
  path: string,
  code: number | string | null,
  job: Job,
): Pick<Ended, 'passed' | 'failed' | 'skipped' | 'failures'> {
  const failures: Failed[] = []
  let counts: Counts = { type: 'counts', passed: 0, failed: 0, skipped: 0 }
  for (const line of linesOf(path)) {
    const said: Failed | Counts = JSON.parse(line)
    if (said.type === 'failed') failures.push(said)
    else counts = said
  }
  const { passed, failed, skipped } = counts
  if (code === 0 || failed > 0) return { passed, failed, skipped, failures }
  const name = `its process ended with ${code}`
  const whole: Failed = { type: 'failed', name, file: job.files[0] ?? '', line: 1, nesting: -1 }
  return { passed, failed: 1, skipped, failures: [...failures, whole] }
}

function linesOf(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
  } catch {
    // it was ended before it wrote anything
    return []
  }
}
