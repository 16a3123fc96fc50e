/** Docker Compose 5.5.1 and 2.40.3, each built once from its Go module into the cache folder: the tests' oracles and the benchmarks' peer. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder } from './image.ts'

const modules = {
  '5.5.1': 'github.com/docker/compose/v5',
  '2.40.3': 'github.com/docker/compose/v2',
} as const

export type ComposeVersion = keyof typeof modules

export type ComposeOracle = {
  readonly version: ComposeVersion
  /** A standalone `docker-compose` program. */
  readonly path: string
  /** For `test(name, { skip }, …)`: false when it is there, else why the test is skipped. */
  readonly skip: false | string
}

/** Takes minutes the first time, in which this process does nothing else. In CI not to be had is a failure. */
export function composeOracle(version: ComposeVersion = '5.5.1'): ComposeOracle {
  const path = join(cacheFolder(), `docker-compose-${version}`)
  if (existsSync(path)) return { version, path, skip: false }
  console.error(`building docker compose ${version}, once: this takes some minutes`)
  const missing = build(path, version)
  if (missing === undefined) return { version, path, skip: false }
  if (process.env['CI'] === 'true') throw new Error(missing)
  console.error(`SKIPPED for want of docker compose ${version}: ${missing}`)
  return { version, path, skip: missing }
}

/**
 * In a copy of the module's own folder, so that its own exclude lines and sums hold. Of two who need it at once the second
 * waits for the first.
 */
function build(path: string, version: ComposeVersion): string | undefined {
  const module = modules[version]
  const script = `set -e
test -x "$target" && exit 0
download=$(cd / && go mod download -json "$module@v$version") || { echo "$download" >&2; exit 1; }
source=$(echo "$download" | sed -n 's/^\\t"Dir": "\\(.*\\)",*$/\\1/p')
work=$(mktemp -d)
trap 'chmod -R u+w "$work" && rm -rf "$work"' EXIT
cp -r "$source/." "$work" && chmod -R u+w "$work" && cd "$work"
CGO_ENABLED=0 go build -mod=mod -trimpath -ldflags "-s -w -X $module/internal.Version=v$version" -o "$target.new" ./cmd
mv "$target.new" "$target"`
  const { status, stderr, error } = spawnSync('flock', ['-o', `${path}.lock`, 'sh', '-c', script], {
    env: { ...process.env, module, version, target: path },
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  })
  if (status === 0) return undefined
  return `go build of ${module}@v${version} failed:\n${error?.message ?? stderr.trim().slice(-2000)}`
}
