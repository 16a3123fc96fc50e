/** The artifacts of GitRepositories where source-controller is not at work: packed, kept, and served under the address that is published. */
import { createHmac } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Clock } from '#model/clock.ts'
import type { SourceDeclared } from '#model/declaration.ts'
import { hashOf, isRecord, type Json } from '#model/json.ts'
import type { Log } from '#model/log.ts'
import { problemOf } from '#model/problem.ts'
import type { TaskRunner } from '#model/render.ts'
import type { Snapshot } from '#model/source.ts'
import { meantBy } from '#kinds/kustomizations/meant-by.ts'
import { filesOfSnapshot } from '#sources/snapshot-files.ts'
import type { Packed } from '#sources/artifact/pack.ts'
import { ownPath } from './artifact-sources.ts'
import type { FluxObject } from './kinds.ts'

export type OwnArtifact = Packed & { readonly path: string; readonly url: string }

export type OwnArtifacts = {
  /** The artifact of this snapshot; undefined while it is being packed. `done` is called when that ended. */
  find(
    one: FluxObject,
    source: SourceDeclared,
    snapshot: Snapshot,
    done: () => void,
  ): OwnArtifact | { readonly failure: string } | undefined
  /** The file behind a path of an address; undefined: nothing is served there. */
  fileAt(path: string): string | undefined
}

type OwnArtifactParts = {
  readonly folder: string
  /** Makes a part of each address that can't be guessed, so that only who may read the object's status learns where its files are. */
  readonly key: Uint8Array
  /** `http://tend.flux-system.svc.cluster.local.` */
  readonly address: () => string
  readonly tasks: TaskRunner
  readonly clock: Clock
  readonly log: Log
}

/** ms. As long as fetching a commit may take. */
const packTimeout = 5 * 60_000
/** ms, after it could not be packed */
const failurePause = 30_000
/** The artifact before the newest is kept too, for readers of the last status. */
const kept = 2

export function ownArtifacts(parts: OwnArtifactParts): OwnArtifacts {
  const { folder, key, address, tasks, clock, log } = parts
  const ready = new Map<string, Packed>()
  const underWay = new Set<string>()
  const failures = new Map<string, { readonly failure: string; readonly until: number }>()
  const files = new Map<string, string>()

  async function packNow(file: string, source: SourceDeclared, snapshot: Snapshot): Promise<void> {
    const before = await notedAt(file)
    if (before !== undefined) {
      ready.set(file, before)
      return
    }
    const task = {
      kind: 'kustomization',
      name: 'pack',
      files: filesOfSnapshot(snapshot),
      meant: meantBy(source),
      target: file,
    }
    const packed = packedIn(await tasks.perform(task, packTimeout))
    if (packed === undefined) throw new TypeError('nothing was packed')
    await writeFile(noteOf(file), JSON.stringify(packed))
    ready.set(file, packed)
    await forgetOlder(dirname(file), file)
  }

  async function forgetOlder(where: string, newest: string): Promise<void> {
    const names = (await readdir(where)).filter((name) => name.endsWith('.tar.gz'))
    const aged = await Promise.all(
      names.map(async (name) => ({ name, at: (await stat(join(where, name))).mtimeMs })),
    )
    const others = aged.filter(({ name }) => join(where, name) !== newest)
    for (const { name } of others.toSorted((a, b) => b.at - a.at).slice(kept - 1)) {
      const file = join(where, name)
      ready.delete(file)
      await rm(file, { force: true })
      await rm(noteOf(file), { force: true })
    }
  }

  return {
    find(one, source, snapshot, done) {
      const commit = snapshot.revision
      const rules = hashOf(JSON.parse(JSON.stringify(meantBy(source)))).slice(0, 12)
      const file = join(folder, one.namespace, one.name, `${commit}-${rules}.tar.gz`)
      const packed = ready.get(file)
      if (packed === undefined) {
        const failed = failures.get(file)
        if (failed !== undefined && failed.until > clock.now()) return failed
        if (underWay.has(file)) return undefined
        underWay.add(file)
        void packNow(file, source, snapshot)
          .catch((thrown: unknown) => {
            const why = problemOf(thrown).message
            log('warning', 'an artifact could not be packed', { repository: one.key, why })
            failures.set(file, { failure: why, until: clock.now() + failurePause })
          })
          .finally(() => {
            underWay.delete(file)
            done()
          })
        return undefined
      }
      const secret = createHmac('sha256', key).update(`artifact ${file}`).digest('hex').slice(0, 32)
      const path = `${ownPath.slice(1)}${secret}/gitrepository/${one.key}/${commit}.tar.gz`
      files.set(path, file)
      return { ...packed, path, url: `${address()}/${path}` }
    },
    fileAt(path) {
      const file = files.get(path)
      return file !== undefined && existsSync(file) ? file : undefined
    },
  }
}

function noteOf(file: string): string {
  return file.replace(/\.tar\.gz$/, '.json')
}

/** What an earlier process packed, if it is all there. */
async function notedAt(file: string): Promise<Packed | undefined> {
  try {
    const packed = packedIn(JSON.parse(await readFile(noteOf(file), 'utf8')))
    return packed?.size === (await stat(file)).size ? packed : undefined
  } catch {
    // it was never packed
    return undefined
  }
}

function packedIn(said: unknown): Packed | undefined {
  const { digest, size } = isRecord<Json>(said) ? said : {}
  return typeof digest === 'string' && typeof size === 'number' ? { digest, size } : undefined
}
