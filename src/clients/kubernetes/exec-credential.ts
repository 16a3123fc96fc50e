/** Credentials from a program that the kubeconfig names (exec): run when needed, kept until they expire, never shown. */
import { dirname, isAbsolute, join } from 'node:path'
import { recordOf, textOf } from '#model/read-json.ts'
import { CommandError } from '#clients/command/command-error.ts'
import { run } from '#clients/command/run.ts'
import type { Json, JsonRecord } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import type { ClusterAccess, Credential } from './cluster-access.ts'

export type ExecPlugin = {
  readonly command: string
  readonly arguments: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly apiVersion: string
  readonly installHint: string
  /** The program wants a user at a terminal. */
  readonly isInteractive: boolean
  /** The path of the kubeconfig: a command with a slash is relative to its folder. */
  readonly file: string
  /** The cluster as the kubeconfig has it, where the program asks for it. */
  readonly cluster?: JsonRecord
}

const versions = new Set([
  'client.authentication.k8s.io/v1',
  'client.authentication.k8s.io/v1beta1',
])
const longest = 60_000
/** A credential is renewed so many ms before its end: a call takes a moment, and clocks differ. */
const margin = 10_000

export function execCredentials(
  plugin: ExecPlugin,
  known: Credential,
): ClusterAccess['credential'] {
  check(plugin)
  let kept: { readonly credential: Credential; readonly until: number } | undefined
  let running: Promise<Credential> | undefined

  async function renew(signal: AbortSignal): Promise<Credential> {
    const { credential, until } = await ask(plugin, signal)
    kept = { credential: { ...known, ...credential }, until }
    return kept.credential
  }

  return (isStale, signal) => {
    if (!isStale && kept !== undefined && Date.now() < kept.until) {
      return Promise.resolve(kept.credential)
    }
    // many calls begin at once: one program serves them all, and only the first can take it away
    running ??= renew(signal).finally(() => (running = undefined))
    return running
  }
}

function check(plugin: ExecPlugin): void {
  if (plugin.command === '') throw wrong(plugin, 'its exec names no command')
  if (!versions.has(plugin.apiVersion)) {
    const known = [...versions].join(' or ')
    throw wrong(plugin, `its exec speaks ${plugin.apiVersion || 'no version'}; ${known} is known`)
  }
  if (plugin.isInteractive) {
    throw wrong(plugin, `${plugin.command} asks at a terminal (interactiveMode: Always)`)
  }
}

async function ask(
  plugin: ExecPlugin,
  signal: AbortSignal,
): Promise<{ readonly credential: Credential; readonly until: number }> {
  try {
    const { output } = await run({
      program: programOf(plugin),
      arguments: plugin.arguments,
      environment: {
        ...process.env,
        ...plugin.environment,
        KUBERNETES_EXEC_INFO: JSON.stringify(infoFor(plugin)),
      },
      signal,
      limit: longest,
    })
    return answerOf(plugin, output.toString('utf8'))
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof CommandError)) throw error
    throw new Problem({
      type: 'configuration',
      code: 'unauthorized',
      message: `no credential for the cluster: ${error.message}`,
      suggestion: plugin.installHint === '' ? undefined : plugin.installHint,
      cause: error,
    })
  }
}

function programOf({ command, file }: ExecPlugin): string {
  return command.includes('/') && !isAbsolute(command) ? join(dirname(file), command) : command
}

function infoFor({ apiVersion, cluster }: ExecPlugin): Json {
  const spec = { interactive: false, ...(cluster === undefined ? {} : { cluster }) }
  return { apiVersion, kind: 'ExecCredential', spec }
}

/** What it printed is never part of a message: it is a secret, or nearly one. */
function answerOf(
  plugin: ExecPlugin,
  text: string,
): { readonly credential: Credential; readonly until: number } {
  const status = recordOf(recordOf(parsed(plugin, text))['status'])
  const token = textOf(status['token'])
  const cert = textOf(status['clientCertificateData'])
  const key = textOf(status['clientKeyData'])
  if (token === '' && (cert === '' || key === '')) {
    throw wrong(plugin, `${plugin.command} gave neither a token nor a certificate with its key`)
  }
  const ends = Date.parse(textOf(status['expirationTimestamp']))
  return {
    credential: {
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      ...(cert === '' ? {} : { certificate: { cert, key } }),
    },
    until: Number.isNaN(ends) ? Infinity : ends - margin,
  }
}

function parsed(plugin: ExecPlugin, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw wrong(plugin, `${plugin.command} did not print an ExecCredential in JSON`)
  }
}

function wrong({ file }: ExecPlugin, why: string): Problem {
  const message = `the kubeconfig ${file} can't be used: ${why}`
  return new Problem({ type: 'configuration', code: 'unauthorized', message })
}
