/** A program in a process group of its own: what it starts is ended together with it, first by SIGTERM and then by SIGKILL. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'

export type Program = {
  readonly program: string
  readonly arguments: readonly string[]
  /** All variables that the program sees; by default those of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  readonly folder?: string
}

export type Group = {
  readonly child: ChildProcessWithoutNullStreams
  /** Sends SIGTERM to all of the group, and SIGKILL when it is still there after so many milliseconds. */
  readonly end: (grace: number) => void
}

/** The child gets a process group of its own, so that a Ctrl-C in the terminal reaches this process alone, which then ends the child. */
export function startGroup(what: Program): Group {
  const child = spawn(what.program, what.arguments, {
    detached: true,
    stdio: 'pipe',
    ...(what.environment === undefined ? {} : { env: what.environment }),
    ...(what.folder === undefined ? {} : { cwd: what.folder }),
  })
  let isEnding = false
  function end(grace: number): void {
    if (isEnding || hasEnded(child)) return
    isEnding = true
    kill(child.pid, 'SIGTERM')
    const timer = setTimeout(() => kill(child.pid, 'SIGKILL'), grace)
    timer.unref()
    child.once('exit', () => clearTimeout(timer))
  }
  return { child, end }
}

function hasEnded(child: ChildProcessWithoutNullStreams): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null
}

function kill(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch {
    // it ended by itself
  }
}
