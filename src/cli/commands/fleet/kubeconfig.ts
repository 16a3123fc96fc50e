/** `tend fleet kubeconfig NAME`: the cluster's own kubeconfig to standard output; `--merge` puts clusters into the user's. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { contextOf, mergedKubeconfig } from '#clients/providers/merge-kubeconfig.ts'
import { isProvider } from '#domains/fleet/render/row-rules.ts'
import { reservedCluster } from '#model/clusters.ts'
import { Problem, problemOf } from '#model/problem.ts'
import type { Invocation } from '../../arguments/invocation.ts'
import { usageProblem } from '../../arguments/usage.ts'
import { unknownCluster } from '#kinds/fleet/row-problems.ts'
import { withCluster } from '../../fleet/named.ts'
import { databaseOf, settingsFor, withClusters } from '../../fleet/open.ts'
import { openFleetContext } from '#kinds/fleet/fleet-context.ts'
import { reconciling } from '#kinds/fleet/usual.ts'
import type { CommandContext } from '../../session.ts'

export function fleetKubeconfig(invocation: Invocation, context: CommandContext): Promise<number> {
  const { words, flags } = invocation
  if (flags.fleet.merges) return merge(invocation, context)
  const name = words[0]
  if (name === undefined) throw usageProblem('which cluster?', 'name one, or add --merge for all')
  return withCluster(name, flags, context, 'read', async ({ provider, fleet }) => {
    const text = await provider.kubeconfig(name, context.signal)
    if (fleet.kubeconfigs.read(name) !== text) fleet.kubeconfigs.write(name, text)
    if (context.screen.format === 'json') {
      const { parse } = await import('yaml')
      context.screen.print([JSON.stringify(parse(text), null, 2)])
    } else context.screen.print([text.trimEnd()])
    return 0
  })
}

/** A cluster that can't be asked is reported, and the others are merged all the same. */
async function merge({ words, flags }: Invocation, context: CommandContext): Promise<number> {
  const { session, screen, signal } = context
  const settings = settingsFor(flags, databaseOf(flags, session))
  return withClusters(flags, session, 'read', async (clusters) => {
    const { declared, providers } = await openFleetContext(clusters, settings, reconciling, session)
    const rows = declared.rows.filter(({ name, desired }) => {
      return desired === 'present' && name !== reservedCluster && (words[0] ?? name) === name
    })
    if (words[0] !== undefined && rows.length === 0) throw unknownCluster(words[0])
    const found: { name: string; provider: string; text: string }[] = []
    for (const { name, provider } of rows) {
      if (!isProvider(provider)) continue
      try {
        found.push({ name, provider, text: await providers[provider].kubeconfig(name, signal) })
      } catch (thrown) {
        signal.throwIfAborted()
        screen.note(`Warning: ${name} is left out: ${problemOf(thrown).message}`)
      }
    }
    const file = userKubeconfig(session.environment)
    const contexts = found.map(({ name, provider }) => contextOf(name, provider))
    if (found.length > 0) write(file, mergedKubeconfig(readText(file), found))
    const told = found.length === 0 ? 'nothing was merged' : `${contexts.join(', ')} in ${file}`
    if (screen.format === 'table') screen.print([told])
    else await screen.document({ file, contexts })
    return found.length === rows.length ? 0 : 1
  })
}

/** The file that kubectl uses: the first one of KUBECONFIG, else ~/.kube/config. */
function userKubeconfig(environment: Readonly<Record<string, string | undefined>>): string {
  const [first = ''] = (environment['KUBECONFIG'] ?? '').split(':').filter((path) => path !== '')
  return first === '' ? join(environment['HOME'] ?? homedir(), '.kube', 'config') : first
}

function readText(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

/** Writes the file as a whole or not at all, and keeps the earlier one beside it. */
function write(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    if (existsSync(file)) copyFileSync(file, `${file}.tend-backup`)
    writeFileSync(`${file}.tend-new`, text, { mode: 0o600 })
    renameSync(`${file}.tend-new`, file)
  } catch (cause) {
    throw new Problem({
      type: 'configuration',
      code: 'not_found',
      message: `${file} can't be written: ${cause instanceof Error ? cause.message : ''}`,
      suggestion: 'name another file with the variable KUBECONFIG',
      cause,
    })
  }
}
