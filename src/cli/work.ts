/** The wiring of everything that is loaded only when there is work to do; in a release, a file of its own. */
import { dirname, join } from 'node:path'
import { isSea } from 'node:sea'
import type { ProblemFacts } from '#model/problem.ts'
import type { Format, Invocation } from './arguments/invocation.ts'
import { complete } from './complete.ts'
import { tellProblems } from './failure.ts'
import { openSession } from './open-session.ts'
import { runCommand } from './run-command.ts'
import { screenOf } from './screen.ts'
import type { Session } from './session.ts'

/** Gives the exit code, as all of these do. */
export function work(invocation: Invocation): Promise<number> {
  // Whoever reads the output may leave before its end: that is no failure.
  process.stdout.on('error', () => process.exit(0))
  const session = sessionFor(invocation.verb, invocation.flags.service.database)
  return runCommand(invocation, { streams: process, session, signal: interruptions() })
}

/** Prints wrong usage: there is no invocation then, but a format that was asked for. */
export function refuse(usage: ProblemFacts, format: Format): Promise<number> {
  return tellProblems(
    [usage],
    screenOf(process, format, { isWanted: true, environment: process.env }),
  )
}

/** Answers a shell that asks what may follow. */
export async function answer(typed: readonly string[]): Promise<number> {
  const session = sessionFor('completion')
  const text = await complete(typed, session)
  if (text !== '') process.stdout.write(`${text}\n`)
  await session.close()
  return 0
}

function sessionFor(verb: string, database?: string): Session {
  const environment = { ...process.env }
  if (database !== undefined) environment['TEND_DATABASE'] = database
  return openSession({
    environment,
    isRoot: process.getuid?.() === 0,
    pid: process.pid,
    launcher: isSea() ? process.execPath : launcherBeside(process.argv[1] ?? ''),
    doing: `tend ${verb}`,
    note: (text) => void process.stderr.write(`${text}\n`),
  })
}

/** The first Ctrl-C lets calls that are under way end; the second ends the process at once. */
function interruptions(): AbortSignal {
  const stop = new AbortController()
  function interrupt(): void {
    if (stop.signal.aborted) process.exit(130)
    stop.abort()
  }
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', interrupt)
  return stop.signal
}

/** The launcher beside this file, wherever it was put: systemd starts it. */
function launcherBeside(file: string): string {
  const folder = dirname(file)
  return file.endsWith('.ts') ? join(folder, '../bin/tend') : join(folder, 'tend')
}
