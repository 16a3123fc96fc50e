/** Compose stacks on Docker, or on Podman in Docker's words. */
import { isAbsolute, join } from 'node:path/posix'
import { findEngine, surroundings } from '#clients/docker/find-engine.ts'
import { renderStack } from '#domains/stacks/render.ts'
import type { Placed } from '#domains/stacks/stack-input.ts'
import { stackHash } from '#domains/stacks/marker.ts'
import type { ComposeFiles } from '#formats/compose/session.ts'
import { keyOf } from '#model/application.ts'
import type { Declared } from '#model/declaration.ts'
import type { ProblemFacts } from '#model/problem.ts'
import type { Snapshot } from '#model/source.ts'
import type { Tree } from '#model/tree.ts'
import { hashOf, isRecord } from '#model/json.ts'
import type { Resource } from '#model/resource.ts'
import type { Value } from '#model/value.ts'
import type { Craft, How, Made, Orphan } from '../craft.ts'
import { isFile, witnessed, type Witness } from '../inputs.ts'
import { program } from '../program.ts'
import { dockerSite } from './docker-site.ts'

const usualNames = ['compose.yaml', 'compose.yml', 'docker-compose.yml', 'docker-compose.yaml']

export const stackCraft: Craft = {
  kind: 'stack',
  isThere(declared, tree) {
    return declared.files.length === 0
      ? usualNames.some((name) => isFile(tree, join(declared.path, name)))
      : tree.list(declared.path).length > 0
  },
  render: (declared, snapshot, how) => render(declared, snapshot, how, {}),
  renderStarted: (declared, snapshot, how, by) => {
    const { rendered } = render(declared, snapshot, how, {})
    const started = render(declared, snapshot, how, by).rendered
    const hashes = new Map(started.resources.map(({ ref, spec }) => [ref, configHashOf(spec)]))
    const resources = rendered.resources.map((one) => withConfigHash(one, hashes.get(one.ref)))
    return { ...rendered, resources }
  },
  aboutOf,
  hashOf: stackHash,
  find(target) {
    const place = findEngine(surroundings(target))
    return {
      address: place.address,
      connect: (instance, called) => dockerSite(place, instance, called),
    }
  },
}

function mainFile({ path, files }: Declared, tree: Tree): string | undefined {
  if (files.length > 0) return files[0]
  return usualNames.find((name) => tree.read(join(path, name)) !== undefined)
}

/**
 * Commits come and go, the paths that containers are labelled with stay: the files of a repository seem to lie in a folder that is
 * called so. Those of a directory lie where they are.
 */
function rootOf({ source }: Declared): string {
  return source.kind === 'directory' ? source.path : '/repository'
}

function render(declared: Declared, snapshot: Snapshot, how: How, by: Orphan): Made {
  const { application, path, profiles, values, policy } = declared
  const root = rootOf(declared)
  const witness = witnessed(snapshot.tree)
  const { tree } = witness
  const folder = join(root, path)
  const key = keyOf(application)
  const within = (full: string): string => full.slice(root.length).replace(/^\//, '')
  const isAsItIs = declared.source.kind === 'directory' && how.sharesFiles
  const rendered = renderStack({
    load: {
      files: filesIn(witness, root, by),
      workingDirectory: folder,
      projectDirectory: folder,
      configFiles: configFiles(declared, tree, folder, by),
      envFiles: [],
      environment: textsOf(values),
      home: '/nonexistent',
      projectName: application.name,
      profiles,
      interpolate: true,
      confinedTo: root,
    },
    policy: policy.security,
    revision: snapshot.revision,
    seed: how.seed,
    list: (below) => tree.list(within(below)).map((file) => join(root, file)),
    isRepositoryFile: (file) => tree.read(within(file)) !== undefined,
    place: (file, { isWritable, isContext }) => {
      if (isAsItIs) return file
      const wanted = { key, path: within(file), isWritable }
      return isContext === true ? how.shelf.ownPathOf(wanted, tree) : how.shelf.pathOf(wanted, tree)
    },
  })
  const placed = isAsItIs ? [] : rendered.placed
  const bound = placed.filter(({ isContext }) => isContext !== true)
  const lost = how.sharesFiles || bound.length === 0 ? [] : [notShared(bound)]
  const shown = (text: string): string => text.replaceAll(`${root}/`, '')
  return {
    rendered: {
      ...rendered,
      resources: rendered.resources.map((one) => ({ ...one, origin: shownPlace(one.origin) })),
      problems: [...rendered.problems, ...lost].map((problem): ProblemFacts => ({
        ...problem,
        message: shown(problem.message),
        ...(problem.at === undefined ? {} : { at: shownPlace(problem.at) }),
      })),
      warnings: rendered.warnings.map(shown),
    },
    hash: stackHash(rendered),
    file: mainFile(declared, tree) ?? usualNames[0]!,
    inputs: witness.inputs(aboutOf(declared, how)),
    async layFiles(signal) {
      const wanted = placed.map(({ path: file, isWritable }) => {
        return { key, path: within(file), isWritable }
      })
      await how.shelf.lay(wanted, snapshot, signal)
    },
  }

  function shownPlace<At extends { readonly file: string }>(at: At): At {
    return { ...at, file: at.file.startsWith(`${root}/`) ? within(at.file) : at.file }
  }
}

/** Where the labels of another program are said; no file of a repository is called so. */
const beside = '/tend: labels of another program'

function configFiles(
  declared: Declared,
  tree: Tree,
  folder: string,
  by: Orphan,
): readonly string[] {
  const named = declared.files.map((file) => (isAbsolute(file) ? file : join(folder, file)))
  if (Object.keys(by).length === 0) return named
  const main = mainFile(declared, tree)
  return [...(named.length > 0 || main === undefined ? named : [join(folder, main)]), beside]
}

/** Values as they are: a dollar in them means itself. */
function besideText(by: Orphan): Uint8Array {
  const services = Object.entries(by).map(([service, labels]) => [service, { labels }])
  const text = JSON.stringify({ services: Object.fromEntries(services) })
  return new TextEncoder().encode(text.replaceAll('$', '$$$$'))
}

function configHashOf(spec: Value): string | undefined {
  const about = isRecord<Value>(spec)
    ? Object.entries(spec).find(([name]) => name === 'about')?.[1]
    : undefined
  const hash = isRecord<Value>(about)
    ? Object.entries(about).find(([name]) => name === 'configHash')?.[1]
    : undefined
  return typeof hash === 'string' ? hash : undefined
}

function withConfigHash(resource: Resource, configHash: string | undefined): Resource {
  const { spec } = resource
  if (configHash === undefined || !isRecord<Value>(spec) || !('about' in spec)) return resource
  const { about, ...rest } = spec
  if (!isRecord<Value>(about)) return resource
  return { ...resource, spec: { ...rest, about: { ...about, configHash } } }
}

function filesIn({ tree, isFolder }: Witness, root: string, by: Orphan): ComposeFiles {
  function inside(path: string): string | undefined {
    if (path === root) return ''
    return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : undefined
  }
  return {
    read(path) {
      if (path === beside) return besideText(by)
      const file = inside(path)
      return file === undefined || file === '' ? undefined : tree.read(file)
    },
    isDirectory(path) {
      const folder = inside(path)
      return folder !== undefined && isFolder(folder)
    },
  }
}

function textsOf(values: Declared['values']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )
}

/** Whatever else decides on what comes out. */
function aboutOf(declared: Declared, how: How): string {
  const { application, source, path, files, profiles, values, policy } = declared
  const { kind } = source
  const place = how.shelf.pathOf({ key: '', path: '', isWritable: true }, nothing)
  const own = { kind, path, files, profiles, values, security: policy.security }
  return hashOf([program, keyOf(application), own, how.since, how.sharesFiles, place]).slice(0, 20)
}

const nothing: Tree = { root: '', list: () => [], read: () => undefined }

function notShared(placed: readonly Placed[]): ProblemFacts {
  const [first] = placed
  return {
    type: 'configuration',
    code: 'not_possible_here',
    message: `${first?.path ?? 'a file'} is bound into a container, and the engine does not see the files of this machine`,
    suggestion:
      'say where it finds the folder of files (hostFiles); if Tend runs in a container, or give its TEND_HOME the same path inside and outside; or use configs in place of binds',
  }
}
