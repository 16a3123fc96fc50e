/** Docker Compose 5.5.1 and 2.40.3, each built once from its Go module: the tests' oracles and the benchmarks' peer. */
import { spawnSync, type SpawnSyncOptions } from 'node:child_process'
import { buildNow, goToolPath } from './go-tools.ts'

export type ComposeVersion = '5.5.1' | '2.40.3'

export type ComposeOracle = {
  readonly version: ComposeVersion
  /** A standalone `docker-compose` program. */
  readonly path: string
  /** For `test(name, { skip }, …)`: false when it is there, else why the test is skipped. */
  readonly skip: false | string
}

/** As `requiredKube`: takes minutes the first time, if `npm test` did not build it already. In CI not to be had is a failure. */
export function composeOracle(version: ComposeVersion = '5.5.1'): ComposeOracle {
  const name = `docker-compose-${version}` as const
  const path = goToolPath(name)
  const missing = buildNow([name])
  if (missing === undefined) return { version, path, skip: false }
  if (process.env['CI'] === 'true') throw new Error(missing)
  console.error(`SKIPPED for want of docker compose ${version}: ${missing}`)
  return { version, path, skip: missing }
}

/**
 * Runs it to its end. An engine that lists the host's interfaces while another test's engine removes one answers "no such
 * network interface": that is asked again, as Tend itself does.
 */
export function runCompose(
  { path }: ComposeOracle,
  words: readonly string[],
  options: Pick<SpawnSyncOptions, 'cwd' | 'env'>,
): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  for (let tries = 5; ; tries -= 1) {
    const ended = spawnSync(path, words, { ...options, encoding: 'utf8' })
    const isBusy = ended.status !== 0 && ended.stderr.includes('no such network interface')
    if (!isBusy || tries === 1) return ended
  }
}
