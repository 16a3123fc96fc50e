/** Relative paths of a model made absolute, or relative to another directory while a file is still being included. */
import { isAbsolute, join } from 'node:path/posix'
import { failure } from '../compose-error.ts'
import { clean, isWindowsAbsolute, joined } from './file-path.ts'
import {
  describe,
  map,
  text,
  withEntry,
  type MapNode,
  type Node,
  type TextNode,
} from '../yaml/node.ts'
import { isRemote } from './remote.ts'
import { rewriteAll, rulesOf, type Path, type Rules } from '../merge/path-rules.ts'

export type Base = { readonly directory: string; readonly home: string | undefined }

export function resolvePaths(root: Node, base: Base): Node {
  return rewriteAll(root, resolvers, (resolve, node, path) => resolve(node, base, path))
}

type Resolver = (node: Node, base: Base, path: Path) => Node

const resolvers: Rules<Resolver> = rulesOf<Resolver>({
  'configs.*.file': hostPath,
  'secrets.*.file': hostPath,
  'services.*.build.additional_contexts.*': contextPath,
  'services.*.build.context': contextPath,
  'services.*.build.ssh.*': hostPath,
  'services.*.develop.watch.*.path': filePath,
  'services.*.env_file.*.path': filePath,
  'services.*.extends.file': extendsPath,
  'services.*.label_file.*': filePath,
  'services.*.volumes.*': mountPath,
  'volumes.*': devicePath,
})

/** `~` and `~/x` become the home directory, as does `~name`: users are not looked up. */
function expandHome({ value, place }: TextNode, { home }: Base): string {
  if (!value.startsWith('~')) return value
  if (home === undefined) {
    throw failure(
      place,
      `${value} begins in somebody's home, and a stack that is followed has nobody's`,
      'write the whole path',
    )
  }
  return clean(join(home, value.slice(1)))
}

function filePath(node: Node, base: Base, path: Path): Node {
  if (node.kind !== 'text') {
    throw failure(node.place, `${path.join('.')} must be a path, not ${describe(node)}`)
  }
  const expanded = expandHome(node, base)
  if (isAbsolute(expanded)) return text(expanded, node.place)
  return expanded === '' ? node : text(joined(base.directory, expanded), node.place)
}

function extendsPath(node: Node, base: Base, path: Path): Node {
  return node.kind === 'text' && isRemote(node.value) ? node : filePath(node, base, path)
}

/** A path on the machine of the engine, which may be a Windows one. */
function hostPath(node: Node, base: Base): Node {
  if (node.kind !== 'text') return node
  const expanded = expandHome(node, base)
  if (isAbsolute(expanded) || isWindowsAbsolute(expanded)) return text(expanded, node.place)
  return text(joined(base.directory, expanded), node.place)
}

/** Whether a build context is a directory of this machine, and no URL, image or other service. */
export function isLocalContext(context: string): boolean {
  return !/:\/\/|^service:|^github\.com\/|^git@/.test(context)
}

function contextPath(node: Node, base: Base, path: Path): Node {
  return node.kind === 'text' && !isLocalContext(node.value) ? node : filePath(node, base, path)
}

function mountPath(node: Node, base: Base, path: Path): Node {
  if (node.kind !== 'map') return node
  const type = node.entries.get('type')
  if (type?.kind !== 'text' || type.value !== 'bind') return node
  const source = node.entries.get('source')
  if (source?.kind !== 'text') {
    throw failure(
      node.place,
      `${path.join('.')}: a bind mount needs a source`,
      'add source: with a path of the host',
    )
  }
  return withEntry(node, 'source', hostPath(source, base))
}

/** A local volume with the options of a bind mount is one. */
function devicePath(node: Node, base: Base): Node {
  if (node.kind !== 'map') return node
  const options = bindOptions(node)
  const device = options?.entries.get('device')
  if (options === undefined || device === undefined) return node
  const entries = new Map(options.entries).set('device', hostPath(device, base))
  return withEntry(node, 'driver_opts', map(entries, options.place))
}

/** The driver options of a volume that is a bind mount in disguise. */
export function bindOptions(volume: MapNode): MapNode | undefined {
  const driver = volume.entries.get('driver')
  const options = volume.entries.get('driver_opts')
  if (driver?.kind !== 'text' || driver.value !== 'local' || options?.kind !== 'map')
    return undefined
  const kind = options.entries.get('o')
  return kind?.kind === 'text' && kind.value === 'bind' ? options : undefined
}
