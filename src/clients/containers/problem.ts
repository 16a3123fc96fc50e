/** What engines of containers say when something goes wrong, as far as they say it alike. */
import type { CommandError } from '#clients/command/command-error.ts'
import { recordOf, textOf } from '#model/read-json.ts'
import { Problem } from '#model/problem.ts'

/** Reads the body of a refusal. Docker gives no cause. Podman 6 may send the progress of a failed pull first, line by line. */
export function saidIn(body: string): { readonly cause: string; readonly message: string } {
  try {
    const fields = recordOf(JSON.parse(body.trim().split('\n').at(-1) ?? ''))
    const message = textOf(fields['message']) || textOf(fields['error'])
    return { cause: textOf(fields['cause']), message }
  } catch {
    // some answers are plain text
    return { cause: '', message: body.trim().slice(0, 500) }
  }
}

export type SshAdvice = {
  /** The command that is missing on the other machine. */
  readonly install: string
  /** The command to try there by hand. */
  readonly command: string
}

/** ssh and what it calls explain themselves on their standard error. */
export function lostCommand(
  doing: string,
  place: string,
  error: CommandError,
  { install, command }: SshAdvice,
): Problem {
  const { startFailure, errorOutput } = error.facts
  const isFinal = /permission denied|host key verification|not found|could not resolve/i
  return new Problem({
    type: 'runtime',
    code: 'unreachable',
    message: `${doing}: ${place}: ${error.message}`,
    suggestion: /: not found|command not found/i.test(errorOutput)
      ? `install ${install} on that host`
      : `see whether this works without a question: ssh ${hostOf(place)} ${command}`,
    recoverable: startFailure === undefined && !isFinal.test(errorOutput),
    cause: error,
  })
}

function hostOf(place: string): string {
  return place
    .replace(/^ssh:\/\//, '')
    .replace(/\/.*$/, '')
    .replace(/:(\d+)$/, ' -p $1')
}
