/** What a real control plane and its oracles consist of, each built once from its Go module into the cache folder. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cacheFolder } from './image.ts'
import { required, whereIs } from './packages.ts'

/** How a tool is built, with `$target`, `$module`, `$version`, `$package` in the environment. */
const recipes = {
  /** Its own go.mod replaces its libraries by folders that the module does not hold: by the released ones here. */
  kubernetes: `libraries=$(echo "$version" | sed 's/^v1/v0/')
{ echo 'module testbed'; echo "require $module $version"
sed -n "s#^[[:space:]]*\\(k8s.io/[^ ]*\\) => ./staging/.*#replace \\1 => \\1 $libraries#p" "$source/go.mod"; } > go.mod
stamp=k8s.io/component-base/version
$fetch -mod=mod "$package" > list
go build -mod=mod -trimpath -ldflags "-s -w -X $stamp.gitVersion=$version" -o "$target.new" "$package"`,
  /** In a copy of the module, so that its own replace lines and sums hold. */
  own: `cp -r "$source/." . && chmod -R u+w .
$fetch "$package" > list
go build -trimpath -ldflags "-s -w" -o "$target.new" "$package"`,
  /** It embeds a folder that is filled only when it is released. */
  flux: `cp -r "$source/." . && chmod -R u+w .
mkdir -p cmd/flux/manifests && touch cmd/flux/manifests/none.yaml
$fetch "$package" > list
go build -trimpath -ldflags "-s -w -X main.VERSION=$(echo "$version" | tr -d v)" -o "$target.new" "$package"`,
} as const

type Recipe = {
  readonly module: string
  readonly version: string
  readonly package: string
  readonly way: keyof typeof recipes
}

function ofKubernetes(name: string): Recipe {
  const module = 'k8s.io/kubernetes'
  return { module, version: 'v1.36.3', package: `${module}/cmd/${name}`, way: 'kubernetes' }
}

const kwok = { module: 'sigs.k8s.io/kwok', version: 'v0.8.0', way: 'own' } as const
const tools = {
  'kube-apiserver': ofKubernetes('kube-apiserver'),
  'kube-controller-manager': ofKubernetes('kube-controller-manager'),
  'kube-scheduler': ofKubernetes('kube-scheduler'),
  kwokctl: { ...kwok, package: './cmd/kwokctl' },
  kwok: { ...kwok, package: './cmd/kwok' },
  kustomize: {
    module: 'sigs.k8s.io/kustomize/kustomize/v5',
    version: 'v5.8.1',
    package: '.',
    way: 'own',
  },
  kubectl: ofKubernetes('kubectl'),
  kubeadm: ofKubernetes('kubeadm'),
  kind: { module: 'sigs.k8s.io/kind', version: 'v0.33.0', package: '.', way: 'own' },
  flux: {
    module: 'github.com/fluxcd/flux2/v2',
    version: 'v2.9.5',
    package: './cmd/flux',
    way: 'flux',
  },
} as const satisfies Readonly<Record<string, Recipe>>

export type KubeTool = keyof typeof tools

/** Everything that a control plane runs; kubectl is what a user would ask it with. */
export const controlPlane: readonly KubeTool[] = [
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kwok',
  'kubectl',
]

export function kubeTool(name: KubeTool): string {
  return join(cacheFolder(), `${name}-${tools[name].version}`)
}

/**
 * For `test(name, { skip: requiredKube() }, …)`: false when all are there, else why the test is skipped. The first time
 * this takes a quarter of an hour, in which this process does nothing else. In CI not to be had is a failure.
 */
export function requiredKube(names: readonly KubeTool[] = controlPlane): false | string {
  const needsEtcd = names.includes('kube-apiserver')
  const missing = (needsEtcd && required('etcd')) || firstMissing(names)
  if (missing === undefined) return false
  if (process.env['CI'] === 'true') throw new Error(missing)
  console.error(`SKIPPED for want of Kubernetes: ${missing}`)
  return missing
}

function firstMissing(names: readonly KubeTool[]): string | undefined {
  for (const name of names) {
    const failure = build(name)
    if (failure !== undefined) return failure
  }
  return undefined
}

/** At the lowest priority, for it takes long, and one at a time: of two who need it at once the second waits for the first. */
function build(name: KubeTool): string | undefined {
  const target = kubeTool(name)
  if (existsSync(target)) return undefined
  if (whereIs('go') === undefined) return `${name} is built from its source, and there is no go`
  const { module, version, way, package: what } = tools[name]
  console.error(`building ${name} ${version}, once: this takes some minutes`)
  // modules are fetched as many at a time as there are processors, though only the network is busy then
  const script = `set -e
fetch='env GOMAXPROCS=16 go list -deps'
test -x "$target" && exit 0
download=$(cd / && go mod download -json "$module@$version") || { echo "$download" >&2; exit 1; }
source=$(echo "$download" | sed -n 's/^\\t"Dir": "\\(.*\\)",*$/\\1/p')
work=$(mktemp -d)
trap 'chmod -R u+w "$work" && rm -rf "$work"' EXIT
cd "$work"
${recipes[way]}
mv "$target.new" "$target"`
  mkdirSync(dirname(target), { recursive: true })
  const lock = join(cacheFolder(), 'kube-tools.lock')
  const words = ['-o', lock, 'nice', '-n', '19', 'sh', '-c', script]
  const { status, stderr, error } = spawnSync('flock', words, {
    env: { ...process.env, module, version, package: what, target, CGO_ENABLED: '0' },
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  })
  if (status === 0) return undefined
  const why = error?.message ?? stderr.trim().slice(-2000)
  return `go build of ${name} from ${module}@${version} failed:\n${why}`
}

/** `node test/testbed/kube-tools.ts [NAME…]`: makes them ahead of the tests. */
if (import.meta.main) {
  const asked = process.argv.slice(2)
  const names = asked.length === 0 ? Object.keys(tools) : asked
  const known = names.filter((name): name is KubeTool => name in tools)
  process.exitCode = requiredKube(known) === false ? 0 : 1
}
