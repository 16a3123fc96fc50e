/** Runs a program to its end: abortable, with a time limit, its output captured, its failure an error with facts. */
import type { Readable } from 'node:stream'
import { CommandError } from './command-error.ts'
import { startGroup, type Program } from './process-group.ts'

export type Command = Program & {
  readonly input?: string | Uint8Array
  readonly signal: AbortSignal
  /** The longest that the program may run, ms. */
  readonly limit?: number
  /** The time between SIGTERM and SIGKILL, ms; by default two seconds. */
  readonly grace?: number
  /** Exit codes beside 0 that are answers and not errors. */
  readonly fine?: readonly number[]
  /** A program that writes more bytes than this to its standard output is ended; by default 64 MiB. */
  readonly most?: number
}

export type Ran = {
  readonly exitCode: number
  readonly output: Buffer
  readonly errorOutput: string
}

/** Rejects with the signal's reason when aborted, else with a CommandError. Either way the program is gone. */
export async function run(command: Command): Promise<Ran> {
  const { signal, grace = 2000, most = 64 * 1024 * 1024 } = command
  signal.throwIfAborted()
  const { child, end } = startGroup(command)
  const output: Buffer[] = []
  let size = 0
  let errorOutput = ''
  let hasTimedOut = false
  let startError: unknown
  const abort = () => end(grace)
  const timer = setTimeout(
    () => {
      hasTimedOut = true
      end(grace)
    },
    command.limit ?? 2 ** 31 - 1,
  )
  signal.addEventListener('abort', abort)
  child.stdout.on('data', (part: Buffer) => {
    size += part.length
    if (size > most) end(grace)
    else output.push(part)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errorOutput = (errorOutput + text).slice(-64 * 1024)
  })
  // one that reads no input may be gone before it is written
  child.stdin.on('error', () => {})
  child.stdin.end(command.input)
  const [exitCode, killedBy] = await new Promise<readonly [number | null, string | null]>(
    (resolve) => {
      child.once('error', (error) => {
        startError = error
        if (child.pid === undefined) resolve([null, null])
      })
      child.once('close', (code, name) => resolve([code, name]))
      child.once('exit', () => letGo(child.stdout, child.stderr))
    },
  )
  clearTimeout(timer)
  signal.removeEventListener('abort', abort)
  signal.throwIfAborted()
  if (size > most) errorOutput += `\nmore than ${most} bytes of output`
  const isFine = exitCode === 0 || (exitCode !== null && (command.fine ?? []).includes(exitCode))
  if (isFine && size <= most) {
    return { exitCode, output: Buffer.concat(output), errorOutput }
  }
  throw new CommandError(
    {
      program: command.program,
      exitCode: exitCode ?? undefined,
      killedBy: killedBy ?? undefined,
      hasTimedOut,
      limit: command.limit,
      errorOutput,
      startFailure: startError === undefined ? undefined : codeOf(startError),
    },
    startError,
  )
}

/**
 * What a program left running in the background (ssh does) may hold its pipes open for ever: after its end they are waited for only
 * while something comes. Pipes are read between a timer and an immediate, so what a program wrote before it ended is read
 * first, however long this process was kept from it.
 */
function letGo(...streams: readonly Readable[]): void {
  let isSilent = true
  for (const stream of streams) {
    stream.on('data', () => {
      isSilent = false
    })
  }
  function look(): void {
    if (isSilent) return streams.forEach((stream) => stream.destroy())
    isSilent = true
    waitThenLook()
  }
  function waitThenLook(): void {
    setTimeout(() => setImmediate(look), 200).unref()
  }
  waitThenLook()
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'UNKNOWN'
}
