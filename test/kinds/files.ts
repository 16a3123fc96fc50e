/** Files: a folder of a repository, kept as it was declared in another folder. A kind that lives in the tests alone. */
import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { watch } from 'node:fs/promises'
import { snapshotHash } from '#engine/recorder.ts'
import { keyOf } from '#model/application.ts'
import type { ApplicationKind, LoadedKind } from '#model/application-kind.ts'
import type { Connection, News, Seen } from '#model/connection.ts'
import type { KindDeclaration } from '#model/kind-declaration.ts'
import { hashOf } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import type { RenderAnswer, RenderRequest } from '#model/render.ts'
import { treeBelow, witnessed } from '#sources/inputs.ts'
import { filesOfSnapshot, treeOfSnapshot } from '#sources/snapshot-files.ts'
import { filesKind, filesTarget, latency } from './files/domain.ts'
import { renderFiles } from './files/render.ts'
import { readFile, readRecords } from './files/target-folder.ts'

type FilesRequest = RenderRequest & { readonly path: string }

export const files: ApplicationKind = {
  name: 'fileset',
  words: { title: 'File set', plural: 'filesets', argument: ({ name }) => name },
  installs: { file: 'fileset.yaml' },
  declaration: async () => declaration,
  load: async () => loaded,
  async render({ path, ...request }: FilesRequest): Promise<RenderAnswer> {
    const witness = witnessed(treeOfSnapshot(request.files))
    const rendered = renderFiles(treeBelow(witness.tree, path), request.seed)
    const { vault, ...plain } = rendered
    return {
      ...plain,
      secrets: vault.contents(),
      inactive: [],
      hash: snapshotHash(rendered),
      file: 'fileset.yaml',
      read: witness.lines(),
      placed: [],
      needs: undefined,
    }
  },
}

const declaration: KindDeclaration = {
  kind: 'fileset',
  names: {
    pattern: '^[a-z]+$',
    description: 'A set of files, by its name',
    fault: (name) => (/^[a-z]+$/.test(name) ? undefined : { message: `${name} is not a name` }),
  },
  fields: [],
  namespace: null,
  hasTextValues: false,
  discovery: {
    files: ['fileset.yaml'],
    isNamedInside: false,
    nameFrom: (folder) => folder.replaceAll('/', '-'),
    unnamed: (path) => ({ message: `${path} makes no name` }),
  },
}

const loaded: LoadedKind = {
  name: 'fileset',
  engines: ['files'],
  files: ['fileset.yaml'],
  isThere: ({ path }, tree) => tree.list(path).length > 0,
  request({ application, path }, snapshot, { seed }): FilesRequest {
    return { files: filesOfSnapshot(snapshot), application, seed, path }
  },
  inputHash: ({ application, path }) => hashOf([keyOf(application), path]),
  hashOf: snapshotHash,
  find(target) {
    if (target !== undefined) return { address: target }
    const message = 'it is not said in which folder files are kept'
    throw new Problem({ type: 'configuration', code: 'usage', message })
  },
  connect: ({ address }, instance) => connectFolder(address, instance),
}

function connectFolder(folder: string, instance: string): Connection {
  const ports = { kind: filesKind, target: filesTarget(folder) }
  return {
    place: { address: folder },
    ports: () => ports,
    async list() {
      await latency()
      return { apps: listed(folder, instance), orphans: new Map() }
    },
    watch: (signal) => changes(folder, signal),
    ping: async () => undefined,
    close: () => undefined,
  }
}

function listed(folder: string, instance: string): ReadonlyMap<string, Seen> {
  const lines = new Map<string, string[]>()
  for (const [name, { owner }] of readRecords(folder)) {
    if (!owner.startsWith(`${instance}:`)) continue
    lines.set(owner, [...(lines.get(owner) ?? []), `${name} ${readFile(folder, name) ?? '-'}`])
  }
  return new Map(
    [...lines].map(([owner, own]) => {
      const fingerprint = createHash('sha256').update(own.toSorted().join('\n')).digest('hex')
      const containers = { running: 0, total: 0 }
      return [owner, { since: undefined, mark: undefined, containers, fingerprint }]
    }),
  )
}

async function* changes(folder: string, signal: AbortSignal): AsyncIterable<News> {
  mkdirSync(folder, { recursive: true })
  const events = watch(folder, { signal })
  yield { kind: 'listening' }
  for await (const _ of events) yield { kind: 'changed', owner: undefined, isSure: false }
}
