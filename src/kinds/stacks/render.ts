/** Renders a Compose stack of a snapshot, in a render process. */
import { isAbsolute, join } from 'node:path/posix'
import { renderStack } from '#domains/stacks/render/render.ts'
import type { Placed } from '#domains/stacks/stack-input.ts'
import { withOpened, type OpenFile } from '#domains/containers/encrypted-files.ts'
import { stackHash } from '#domains/stacks/marker.ts'
import type { ComposeFiles } from '#formats/compose/load/session.ts'
import { keyOf } from '#model/application.ts'
import type { Declared } from '#model/declaration.ts'
import type { BindFile } from '#model/bind-files.ts'
import { isRecord } from '#model/json.ts'
import { isBelow } from '#model/policy.ts'
import { factsOf, Problem, type ProblemFacts } from '#model/problem.ts'
import type { Resource } from '#model/resource.ts'
import type { Tree } from '#model/tree.ts'
import type { Value } from '#model/value.ts'
import type { Orphan } from '#model/connection.ts'
import { witnessed, type Witness } from '#sources/inputs.ts'
import { bindFilesIn } from '#sources/bind-files.ts'
import { composeNames } from '#domains/stacks/compose-names.ts'
import type { RenderAnswer } from '#model/render.ts'
import type { StackRequest } from './stack-request.ts'
import { shownText, withoutRoot } from './shown-root.ts'
import { treeOfSnapshot } from '#sources/snapshot-files.ts'

/** As it would look, had another program started it, where that left labels: with the hash of its configuration. */
export async function renderStackRequest(request: StackRequest): Promise<RenderAnswer> {
  const answer = await opening(request, {})
  if (Object.keys(request.startedBy).length === 0) return answer
  const started = await opening(request, request.startedBy)
  const abouts = new Map(started.resources.map(({ ref, spec }) => [ref, aboutIn(spec)]))
  const resources = answer.resources.map((one) => withHashes(one, abouts.get(one.ref)))
  return { ...answer, resources }
}

function opening(request: StackRequest, by: Orphan): Promise<RenderAnswer> {
  return withOpened(
    async () => request.ageKeys,
    (open) => located(request, () => render(request, by, open)),
  )
}

/** Every refusal names file and line: what no line asks for is asked for by the file as a whole. */
function located(request: StackRequest, work: () => RenderAnswer): RenderAnswer {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { path, root, composeFiles } = request
    const whole = { file: join(path, composeFiles[0] ?? composeNames[0]), line: 1, column: 1 }
    const { file, ...at } = error.at ?? whole
    const shown = file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file
    throw new Problem({ ...withoutRoot(factsOf(error), root), at: { file: shown, ...at } })
  }
}

function render(request: StackRequest, by: Orphan, opened: OpenFile): RenderAnswer {
  const { application, path, profiles, values, security, root, seed, sharesFiles } = request
  const witness = witnessed(treeOfSnapshot(request.files))
  const { tree } = witness
  const bindFiles = bindFilesIn(request.bindFiles.folder, request.bindFiles.seenAs)
  const folder = join(root, path)
  const key = keyOf(application)
  const within = (full: string): string => full.slice(root.length).replace(/^\//, '')
  const isAsItIs = request.isDirectory && sharesFiles
  const rendered = renderStack({
    load: {
      files: { ...filesIn(witness, root, by), opened },
      workingDirectory: folder,
      projectDirectory: folder,
      configFiles: configFiles(request, tree, folder, by),
      envFiles: [],
      environment: textsOf(values),
      home: undefined,
      projectName: application.name,
      profiles,
      interpolate: true,
      confinedTo: root,
    },
    ...(request.composeVersion === undefined ? {} : { composeVersion: request.composeVersion }),
    policy: security,
    revision: request.files.revision,
    seed,
    list: (below) => tree.list(within(below)).map((file) => join(root, file)),
    isRepositoryFile: (file) => tree.read(within(file)) !== undefined,
    place: (file, { isWritable, isContext, isKept }) => {
      if (isAsItIs) return file
      const wanted = { key, path: within(file), isWritable, ...(isKept === true ? { isKept } : {}) }
      return isContext === true ? bindFiles.ownPathOf(wanted, tree) : bindFiles.pathOf(wanted, tree)
    },
  })
  const placed = isAsItIs ? [] : rendered.placed
  const bound = placed.filter(({ isContext }) => isContext !== true)
  const lost = sharesFiles || bound.length === 0 ? [] : [notShared(bound)]
  const labelled = request.isDirectory ? [] : rendered.configFiles.filter(isInside)
  const sourceOf = (file: string): BindFile => ({
    key,
    path: within(file),
    isWritable: true,
    isSource: true,
  })
  return {
    resources: rendered.resources.map((one) => ({
      ...withFiles(one),
      origin: shownPlace(one.origin),
    })),
    problems: [...rendered.problems, ...lost].map((problem): ProblemFacts => ({
      ...withoutRoot(problem, root),
      ...(problem.at === undefined ? {} : { at: shownPlace(problem.at) }),
    })),
    warnings: rendered.warnings.map((text) => shownText(text, root)),
    isIncomplete: rendered.isIncomplete,
    version: rendered.version,
    secrets: rendered.vault.contents(),
    inactive: rendered.inactive,
    hash: stackHash(rendered),
    file: mainFile(request, tree) ?? composeNames[0],
    read: witness.lines(),
    placed: [
      ...placed.map(({ path: file, isWritable, at }) => ({
        key,
        path: within(file),
        isWritable,
        ...(at === undefined ? {} : { at: shownPlace(at) }),
      })),
      ...labelled.map(sourceOf),
    ],
    needs: undefined,
  }

  function isInside(file: string): boolean {
    return file.startsWith(`${root}/`) && tree.read(within(file)) !== undefined
  }

  /** Labels name the files where they lie once they are laid down, and not where they seem to lie while they are read. */
  function withFiles(resource: Resource): Resource {
    const { spec } = resource
    if (labelled.length === 0 || !isRecord<Value>(spec)) return resource
    const about = aboutIn(spec)
    if (about['configFiles'] === undefined) return resource
    const [first = ''] = labelled
    const lies = bindFiles.ownPathOf(sourceOf(first), tree)
    const base = lies.slice(0, lies.length - within(first).length - 1)
    const moved = (value: Value | undefined): Value =>
      typeof value === 'string'
        ? value
            .split(',')
            .map((one) => (isBelow(one, root) ? `${base}${one.slice(root.length)}` : one))
            .join(',')
        : (value ?? '')
    const files = moved(about['configFiles'])
    const workingDirectory = moved(about['workingDirectory'])
    return {
      ...resource,
      spec: { ...spec, about: { ...about, configFiles: files, workingDirectory } },
    }
  }

  function shownPlace<At extends { readonly file: string }>(at: At): At {
    return { ...at, file: at.file.startsWith(`${root}/`) ? within(at.file) : at.file }
  }
}

function mainFile({ path, composeFiles }: StackRequest, tree: Tree): string | undefined {
  if (composeFiles.length > 0) return composeFiles[0]
  return composeNames.find((name) => tree.read(join(path, name)) !== undefined)
}

/** Where the labels of another program are said; no file of a repository is called so. */
const beside = '/tend: labels of another program'

function configFiles(
  request: StackRequest,
  tree: Tree,
  folder: string,
  by: Orphan,
): readonly string[] {
  const named = request.composeFiles.map((file) => (isAbsolute(file) ? file : join(folder, file)))
  if (Object.keys(by).length === 0) return named
  const main = mainFile(request, tree)
  return [...(named.length > 0 || main === undefined ? named : [join(folder, main)]), beside]
}

/** Values as they are: a dollar in them means itself. */
function besideText(by: Orphan): Uint8Array {
  const services = Object.entries(by).map(([service, labels]) => [service, { labels }])
  const text = JSON.stringify({ services: Object.fromEntries(services) })
  return new TextEncoder().encode(text.replaceAll('$', '$$$$'))
}

function aboutIn(spec: Value): Readonly<Record<string, Value>> {
  const about = isRecord<Value>(spec)
    ? Object.entries(spec).find(([name]) => name === 'about')?.[1]
    : undefined
  return isRecord<Value>(about) ? about : {}
}

function withHashes(resource: Resource, started: ReturnType<typeof aboutIn> = {}): Resource {
  const { spec } = resource
  const { configHash, otherHashes = [] } = started
  if (configHash === undefined || !isRecord<Value>(spec)) return resource
  return { ...resource, spec: { ...spec, about: { ...aboutIn(spec), configHash, otherHashes } } }
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
