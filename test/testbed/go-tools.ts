/** Programs that are built from their Go modules, once, into the cache folder: those of one module together, so that what they share is compiled once. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder } from './image.ts'
import { whereIs } from './packages.ts'

/**
 * How programs are built, with `$module`, `$version`, `$packages` and `$out` (a folder that ends with a slash) in the environment.
 * `unpacked` gives the folder of a module's files. `$build` says each package as it is compiled; `$fetch` gets modules sixteen at a
 * time, since Go by itself gets as many at a time as there are processors, though only the network is busy then.
 */
const recipes = {
  /**
   * Everything that is made of Kubernetes' libraries, in one module and so with one version of each: a third of the packages
   * would be compiled twice or three times otherwise. Kubernetes' own go.mod replaces its libraries by folders that the module
   * does not hold: by the released ones here. Flux embeds a folder that is filled only when it is released.
   */
  kubernetes: `source=$(unpacked "$module@$version")
flux=github.com/fluxcd/flux2/v2
fluxSource=$(unpacked "$flux@$fluxVersion")
cp -r "$fluxSource" flux && chmod -R u+w flux
mkdir -p flux/cmd/flux/manifests && touch flux/cmd/flux/manifests/none.yaml
{ echo 'module testbed'; grep '^go ' "$source/go.mod"
for one in "$module $version" $others; do echo "require $one" | tr @ ' '; done
echo "require $flux $fluxVersion"; echo "replace $flux => ./flux"
libraries=$(echo "$version" | sed 's/^v1/v0/')
sed -n "s#^[[:space:]]*\\(k8s.io/[^ ]*\\) => ./staging/.*#replace \\1 => \\1 $libraries#p" "$source/go.mod"; } > go.mod
$fetch -mod=mod $packages > list
stamps="-X k8s.io/component-base/version.gitVersion=$version -X main.VERSION=$(echo "$fluxVersion" | tr -d v)"
$build -mod=mod -ldflags "-s -w $stamps" -o "$out" $packages`,
  /** In a copy of the module, so that its own replace and exclude lines hold. */
  own: `source=$(unpacked "$module@$version")
cp -r "$source/." . && chmod -R u+w .
$fetch -mod=mod $packages > list
$build -mod=mod -ldflags "-s -w -X $module/internal.Version=$version" -o "$out" $packages`,
  /** One of Flux's: its api folder is a module of its own, which this one does not hold. */
  controller: `source=$(unpacked "$module@$version")
cp -r "$source/." . && chmod -R u+w .
go mod edit -dropreplace "$module/api" -require "$module/api@$version"
$fetch -mod=mod $packages > list
$build -mod=mod -ldflags "-s -w" -o "$out" $packages`,
} as const

const flux = { module: 'github.com/fluxcd/flux2/v2', version: 'v2.9.5' } as const
const kwok = { module: 'sigs.k8s.io/kwok', version: 'v0.8.0' } as const
const kind = { module: 'sigs.k8s.io/kind', version: 'v0.33.0' } as const
const kubernetes = { module: 'k8s.io/kubernetes', version: 'v1.36.3' } as const

type Recipe = {
  readonly module: string
  readonly version: string
  readonly package: string
  readonly way: keyof typeof recipes
  /** What is built together. */
  readonly group: string
  /** What `go build` calls the program, if that is not the tool's own name. */
  readonly built?: string
}

/** `group`: what every test on a cluster needs is built before what only some do. */
function ofKubernetes(
  name: string,
  group: 'plane' | 'others',
  { module, version }: { readonly module: string; readonly version: string } = kubernetes,
): Recipe {
  const path = module === kind.module ? module : `${module}/cmd/${name}`
  return { module, version, package: path, way: 'kubernetes', group }
}

function compose(major: string, version: string): Recipe {
  const module = `github.com/docker/compose/${major}`
  return { module, version, way: 'own', package: './cmd', built: 'cmd', group: module }
}

function controller(name: string, version: string): Recipe {
  const module = `github.com/fluxcd/${name}`
  return { module, version, way: 'controller', package: '.', group: module }
}

/**
 * In the order in which they are built: what is quick first, then what most test files wait for. Files on a cluster wait more than they
 * compute, so they should begin while others still keep the processors busy.
 */
const tools = {
  kustomize: {
    module: 'sigs.k8s.io/kustomize/kustomize/v5',
    version: 'v5.8.1',
    package: '.',
    way: 'own',
    group: 'kustomize',
  },
  'kube-apiserver': ofKubernetes('kube-apiserver', 'plane'),
  'kube-controller-manager': ofKubernetes('kube-controller-manager', 'plane'),
  'kube-scheduler': ofKubernetes('kube-scheduler', 'plane'),
  kubectl: ofKubernetes('kubectl', 'plane'),
  kwok: ofKubernetes('kwok', 'plane', kwok),
  flux: ofKubernetes('flux', 'others', flux),
  kubeadm: ofKubernetes('kubeadm', 'others'),
  kwokctl: ofKubernetes('kwokctl', 'others', kwok),
  kind: ofKubernetes('kind', 'others', kind),
  'docker-compose-5.5.1': compose('v5', 'v5.5.1'),
  'docker-compose-2.40.3': compose('v2', 'v2.40.3'),
  // for npm run test:flux-real alone; of later ones not all modules are to be had, or they need a later Go
  'source-controller': controller('source-controller', 'v1.9.0'),
  'kustomize-controller': controller('kustomize-controller', 'v1.7.3'),
  'notification-controller': controller('notification-controller', 'v1.6.0'),
} as const satisfies Readonly<Record<string, Recipe>>

export type GoTool = keyof typeof tools

export function isGoTool(name: string): name is GoTool {
  return Object.hasOwn(tools, name)
}

export const allGoTools: readonly GoTool[] = Object.keys(tools).filter(isGoTool)

/** Where it is, or will be once it is built. */
export function goToolPath(name: GoTool): string {
  const isNamed = name.startsWith('docker-compose-')
  return join(cacheFolder(), isNamed ? name : `${name}-${tools[name].version}`)
}

export function missingOf(names: readonly GoTool[]): readonly GoTool[] {
  return names.filter((name) => !existsSync(goToolPath(name)))
}

/** What is missing, in the groups and the order in which it is built. */
export function groupsOf(names: readonly GoTool[]): readonly (readonly GoTool[])[] {
  const groups = new Map<string, GoTool[]>()
  for (const name of missingOf(allGoTools.filter((tool) => names.includes(tool)))) {
    const { group } = tools[name]
    groups.set(group, [...(groups.get(group) ?? []), name])
  }
  return [...groups.values()]
}

export type Progress = { readonly packages: number; readonly done: number }

/**
 * Builds one group. Of two processes that build at once the second waits for the first. At a lower priority it would end after the
 * tests that need none of it, and what does need it would run last, when processors idle.
 * Gives nothing when all went well, else what to tell.
 */
export async function buildGroup(
  names: readonly GoTool[],
  tell: (progress: Progress) => void = () => {},
): Promise<string | undefined> {
  const [first] = names
  if (first === undefined) return undefined
  const { way } = tools[first]
  const { module, version } = way === 'kubernetes' ? kubernetes : tools[first]
  if (whereIs('go') === undefined) return `${first} is built from its source, and there is no go`
  const lock = join(cacheFolder(), 'kube-tools.lock')
  const targets = names.map((name) => `${builtName(name)}=${goToolPath(name)}`).join(' ')
  const child = spawn('flock', ['-o', lock, 'sh', '-c', scriptOf(way)], {
    env: {
      ...process.env,
      module,
      version,
      packages: names.map((name) => tools[name].package).join(' '),
      targets,
      others: [kwok, kind].map((one) => `${one.module}@${one.version}`).join(' '),
      fluxVersion: flux.version,
      cache: cacheFolder(),
      CGO_ENABLED: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let packages = 0
  let done = 0
  const said: string[] = []
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    packages = Number(/packages (\d+)/.exec(text)?.[1] ?? packages)
    tell({ packages, done })
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.push(text)
    done += text.split('\n').length - 1
    tell({ packages, done })
  })
  const code = await new Promise<number | string | null>((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('close', (status) => resolve(status))
  })
  if (code === 0) return undefined
  const why = typeof code === 'string' ? code : said.join('').trim().slice(-2000)
  return `go build of ${names.join(', ')} from ${module}@${version} failed:\n${why}`
}

function builtName(name: GoTool): string {
  const recipe: Recipe = tools[name]
  return recipe.built ?? name
}

/**
 * The programs are made beside their places and renamed: whoever sees one sees all of it. Whoever waited for the lock may find that
 * another run has made them meanwhile: then nothing is left to do.
 */
function scriptOf(way: keyof typeof recipes): string {
  return `set -e
missing=
for target in $targets; do [ -x "\${target#*=}" ] || missing=yes; done
[ -n "$missing" ] || exit 0
fetch='env GOMAXPROCS=16 go list -deps'
build='env GOGC=400 go build -v -trimpath -gcflags=all=-dwarf=false'
unpacked() {
  told=$(cd / && go mod download -json "$1") || { echo "$told" >&2; exit 1; }
  echo "$told" | sed -n 's/^\\t"Dir": "\\(.*\\)",*$/\\1/p'
}
work=$(mktemp -d "$cache/build-XXXXXX")
trap 'chmod -R u+w "$work" && rm -rf "$work"' EXIT
mkdir "$work/source" "$work/out"
out=$work/out/
cd "$work/source"
${recipes[way].replace('> list', '> list\necho "packages $(wc -l < list)"')}
for target in $targets; do mv "$out\${target%%=*}" "\${target#*=}"; done`
}

/** Builds what is missing while this process waits; gives the first failure. What is known not to be had is not tried again. */
export function buildNow(names: readonly GoTool[]): string | undefined {
  const missing = missingOf(names)
  if (missing.length === 0) return undefined
  const lacks = process.env['TEND_TESTBED_LACKS'] ?? ''
  if (missing.some((name) => lacks.split(' ').includes(name))) {
    return `${missing.join(', ')} could not be built: the run of the tests told why`
  }
  const { status, stderr } = spawnSync(process.execPath, [import.meta.filename, ...missing], {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  })
  return status === 0 ? undefined : stderr.trim()
}

/** `node test/testbed/go-tools.ts [NAME…]`: makes them ahead of the tests. */
if (import.meta.main) {
  const asked = process.argv.slice(2).filter(isGoTool)
  const usual = allGoTools.filter((name) => tools[name].way !== 'controller')
  for (const group of groupsOf(asked.length === 0 ? usual : asked)) {
    const begun = Date.now()
    console.log(`building ${group.join(', ')}`)
    let told = begun
    const failure = await buildGroup(group, ({ packages, done }) => {
      if (Date.now() - told < 10_000) return
      told = Date.now()
      console.log(`  ${done} of at most ${packages} packages`)
    })
    if (failure !== undefined) {
      console.error(failure)
      process.exitCode = 1
    } else console.log(`  done in ${Math.round((Date.now() - begun) / 1000)} s`)
  }
}
