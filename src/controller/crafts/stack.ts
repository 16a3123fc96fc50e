/** Compose stacks on Docker, or on Podman in Docker's words. */
import { join } from 'node:path/posix'
import { findEngine, surroundings } from '#clients/docker/find-engine.ts'
import { leavingAlone } from '#domains/stacks/leaving.ts'
import { stackHash } from '#domains/stacks/marker.ts'
import { keyOf } from '#model/application.ts'
import type { Declared } from '#model/declaration.ts'
import { hashOf } from '#model/json.ts'
import type { Tree } from '#model/tree.ts'
import type { Craft, How } from '../craft.ts'
import { composeNames } from '../declare/folders.ts'
import { hasFile } from '#sources/inputs.ts'
import { buildId } from '#kinds/build-id.ts'
import { filesOfSnapshot } from '#sources/snapshot-files.ts'
import { dockerSite } from './docker-site.ts'

export const stackCraft: Craft = {
  kind: 'stack',
  mainFile: 'compose.yaml',
  isThere(declared, tree) {
    return declared.files.length === 0
      ? composeNames.some((name) => hasFile(tree, join(declared.path, name)))
      : tree.list(declared.path).length > 0
  },
  request: (declared, snapshot, how, startedBy = {}) => {
    const { application, path, files, profiles, values, policy, source } = declared
    const { folder, seenAs } = how.shelf
    const request = {
      files: filesOfSnapshot(snapshot),
      application,
      seed: how.seed,
      path,
      composeFiles: files,
      profiles,
      values,
      security: policy.security,
      root: rootOf(declared),
      isDirectory: source.kind === 'directory',
      sharesFiles: how.sharesFiles,
      shelf: { folder, seenAs },
      startedBy,
    }
    return { name: 'stack', request }
  },
  leaves: (inactive) => leavingAlone(new Set(inactive)),
  adopts: true,
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

/**
 * Commits come and go, the paths that containers are labelled with stay: the files of a repository seem to lie in a folder that is
 * called so. Those of a directory lie where they are.
 */
function rootOf({ source }: Declared): string {
  return source.kind === 'directory' ? source.path : '/repository'
}

/** Whatever else decides on what comes out. */
function aboutOf(declared: Declared, how: How): string {
  const { application, source, path, files, profiles, values, policy } = declared
  const { kind } = source
  const place = how.shelf.pathOf({ key: '', path: '', isWritable: true }, nothing)
  const own = { kind, path, files, profiles, values, security: policy.security }
  return hashOf([buildId, keyOf(application), own, how.since, how.sharesFiles, place]).slice(0, 20)
}

const nothing: Tree = { root: '', list: () => [], read: () => undefined }
