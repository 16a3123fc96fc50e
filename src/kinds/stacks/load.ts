/** What runs Compose stacks: requests to a render process, and Docker, or Podman in Docker's words. */
import { repositoryRoot } from './shown-root.ts'
import { join } from 'node:path/posix'
import { installedCompose } from '#clients/docker/installed-compose.ts'
import { findEngine, surroundings } from '#clients/docker/find-engine.ts'
import { leavingAlone } from '#domains/stacks/leaving.ts'
import { stackHash } from '#domains/stacks/marker.ts'
import { askForLeft } from '#domains/containers/left-behind.ts'
import { keyOf } from '#model/application.ts'
import type { KindAround, LoadedKind } from '#model/application-kind.ts'
import type { Orphan } from '#model/connection.ts'
import type { RenderContext } from '#model/render.ts'
import type { Snapshot } from '#model/source.ts'
import type { Declared } from '#model/declaration.ts'
import { hashOf } from '#model/json.ts'
import { judge } from '#model/policy.ts'
import { Problem } from '#model/problem.ts'
import { knownSources, sourceName } from '#sources/application-source.ts'
import { folderOf } from '#sources/bind-files.ts'
import type { Tree } from '#model/tree.ts'
import { composeNames } from '#domains/stacks/compose-names.ts'
import { hasFile } from '#sources/inputs.ts'
import { buildId } from '#kinds/build-id.ts'
import { ageKeysOf, markOfKeys } from '#kinds/containers/age-keys.ts'
import { filesOfSnapshot } from '#sources/snapshot-files.ts'
import { nameContainer } from '#kinds/containers/name-problem.ts'
import { connectDocker } from './docker.ts'
import type { StackRequest } from './stack-request.ts'

export const loadedStacks: LoadedKind = {
  name: 'stack',
  engines: ['docker', 'podman'],
  files: composeNames,
  marksDiscovery: true,
  isThere(declared, tree) {
    return declared.files.length === 0
      ? composeNames.some((name) => hasFile(tree, join(declared.path, name)))
      : tree.list(declared.path).length > 0
  },
  request,
  leaves: (inactive) => leavingAlone(new Set(inactive)),
  inputHash,
  hashOf: stackHash,
  explain: nameContainer,
  find: (target) => findEngine(surroundings(target)),
  connect: connectDocker,
}

function request(
  declared: Declared,
  snapshot: Snapshot,
  { seed, sharesFiles, bindFiles }: RenderContext,
  startedBy: Orphan = {},
): StackRequest {
  const { application, path, files, profiles, values, policy, source } = declared
  const { folder, seenAs } = bindFiles
  assertOwnFiles(declared, folder)
  return {
    files: filesOfSnapshot(snapshot),
    application,
    seed,
    path,
    composeFiles: files,
    profiles,
    values,
    security: policy.security,
    root: rootOf(declared),
    isDirectory: source.kind === 'directory',
    sharesFiles,
    bindFiles: { folder, seenAs },
    startedBy,
    composeVersion: undefined,
    ageKeys: ageKeysOf(policy),
  }
}

/** Files that containers wrote when it came from another source are not for this one. Throws a problem. */
function assertOwnFiles({ application, source, policy, at }: Declared, folder: string): void {
  const key = keyOf(application)
  const sources = knownSources(folder)
  const before = sources.of(key)
  if (before === undefined || before === sourceName(source) || !sources.hasFiles(key)) return
  const what = `the folder ${join(folder, folderOf(key))}`
  const judged = judge(policy.security, askForLeft('externalVolumes', what, key, before))
  if (judged?.isDenied !== true) return
  const { message, suggestion } = judged
  const place = at === undefined ? {} : { at }
  throw new Problem({ type: 'configuration', code: 'denied', message, suggestion, ...place })
}

/** Containers of the service are labelled as the docker compose of its machine labels them, as it is when the service starts. */
export async function stacksAround({ environment, home }: KindAround): Promise<LoadedKind> {
  const composeVersion = await installedCompose(environment, join(home, 'compose-version.json'))
  if (composeVersion === undefined) return loadedStacks
  return {
    ...loadedStacks,
    request: (...asked) => ({ ...request(...asked), composeVersion }),
    inputHash: (...asked) => hashOf([inputHash(...asked), composeVersion]).slice(0, 20),
  }
}

/**
 * Commits come and go, the paths that containers are labelled with stay: the files of a repository seem to lie in a folder that is
 * called so. Those of a directory lie where they are.
 */
function rootOf({ source }: Declared): string {
  return source.kind === 'directory' ? source.path : repositoryRoot
}

/** Whatever else decides on what comes out. */
function inputHash(declared: Declared, how: RenderContext): string {
  const { application, source, path, files, profiles, values, policy } = declared
  const { kind } = source
  const place = how.bindFiles.pathOf({ key: '', path: '', isWritable: true }, nothing)
  const own = { kind, path, files, profiles, values, security: policy.security }
  const all = [buildId, keyOf(application), own, how.since, how.sharesFiles, place]
  const keys = markOfKeys(policy)
  return hashOf(keys === undefined ? all : [...all, keys]).slice(0, 20)
}

const nothing: Tree = { root: '', list: () => [], read: () => undefined }
