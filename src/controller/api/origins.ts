/** From a field of a resource to the file, the line and the commit that declare it. */
import type { FieldOrigin } from '#model/api.ts'
import type { Place } from '#model/problem.ts'
import type { Snapshot } from '#model/source.ts'
import type { ServiceState } from '../state/service-state.ts'
import type { RepositoryRegistry } from '../sources/repository-registry.ts'
import type { AppState } from '../state/app-state.ts'
import { lineOfField } from './field-line.ts'

export type Origins = {
  /** Undefined: it comes from no file of the snapshot that is at hand. */
  of(place: Place, path?: string): Promise<FieldOrigin | undefined>
}

/** A file that is larger is not looked into, bytes. */
const largest = 2 * 1024 ** 2
/** How long an answer waits for the history of a repository, ms; it is fetched all the same, for the next who asks. */
const patience = 3_000
const pauseAfterFailure = 30_000
/** Files whose lines are remembered with their commits. */
const mostFiles = 200

type Blame = readonly (FieldOrigin['commit'] | undefined)[]

export type Blames = {
  get(snapshot: Snapshot, app: AppState, path: string): Promise<Blame>
}

export function blamesOf(service: ServiceState, registry: RepositoryRegistry): Blames {
  const known = new Map<string, Promise<Blame>>()

  function asked(snapshot: Snapshot, app: AppState, path: string): Promise<Blame> {
    const repo = [...registry.repos.values()].find(({ branches }) =>
      [...branches.values()].some((branch) => branch === app.branch),
    )
    const { repository } = repo ?? {}
    if (repository?.blame === undefined) return Promise.resolve([])
    return repository.blame(snapshot.revision, path, service.stop)
  }

  return {
    async get(snapshot, app, path) {
      const name = `${snapshot.revision} ${path}`
      const going = known.get(name) ?? asked(snapshot, app, path)
      known.set(name, going)
      // what failed is not asked for again by each field of the same page
      going.catch(() => setTimeout(() => known.delete(name), pauseAfterFailure).unref())
      const [oldest] = known.keys()
      if (known.size > mostFiles && oldest !== undefined) known.delete(oldest)
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<Blame>((resolve) => {
        timer = setTimeout(() => resolve([]), patience)
      })
      // a field without file and line is still shown
      return Promise.race([going.catch(() => []), late]).finally(() => clearTimeout(timer))
    },
  }
}

export function originsOf(blames: Blames, app: AppState): Origins {
  const texts = new Map<string, string | undefined>()
  const snapshot = app.branch?.snapshot

  function textOf(file: string): { readonly path: string; readonly text: string } | undefined {
    if (snapshot === undefined) return undefined
    for (const path of candidates(file, snapshot.tree.root, app.declared?.path ?? '')) {
      if (!texts.has(path)) texts.set(path, read(path))
      const text = texts.get(path)
      if (text !== undefined) return { path, text }
    }
    return undefined
  }

  function read(path: string): string | undefined {
    try {
      if ((snapshot?.tree.sizeOf?.(path) ?? 0) > largest) return undefined
      const bytes = snapshot?.tree.read(path)
      return bytes === undefined ? undefined : Buffer.from(bytes).toString('utf8')
    } catch {
      // a path that leads out of the snapshot is not looked at
      return undefined
    }
  }

  return {
    async of({ file, line, column }, field) {
      const found = textOf(file)
      if (found === undefined || snapshot === undefined) return undefined
      const at = field === undefined ? line : lineOfField(found.text, line, field)
      const commit = (await blames.get(snapshot, app, found.path))[at - 1]
      return {
        file: found.path,
        line: at,
        ...(at === line ? { column } : {}),
        ...(commit === undefined ? {} : { commit }),
      }
    },
  }
}

/** As messages name it, below the root; or relative to the snapshot or to the application's folder. */
function candidates(file: string, root: string, folder: string): readonly string[] {
  const inside = file.startsWith(`${root}/`) ? [file.slice(root.length + 1)] : []
  const below = folder === '' || folder === '.' ? [] : [`${folder}/${file}`]
  return [...inside, file, ...below].filter((path) => !path.startsWith('/'))
}
