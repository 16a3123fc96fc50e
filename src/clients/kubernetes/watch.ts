/** Watches the objects of a kind for ever: goes on where it was when the connection is lost, and lists anew when the past is gone. */
import { linesOf } from '#clients/http/json-lines.ts'
import { numberOf, recordOf, textOf } from '#model/read-json.ts'
import type { Clock } from '#model/clock.ts'
import type { JsonRecord } from '#model/json.ts'
import { Problem, problemOf } from '#model/problem.ts'
import type { Kubernetes } from './client.ts'
import type { ApiKind } from './discovery.ts'
import { acceptOf, listObjects, named, queryOf, type Selection } from './list.ts'
import { metadataOf } from '#formats/manifest/metadata.ts'
import { collectionPath } from './api-path.ts'
import { refusal, statusIn } from './problem.ts'

export type WatchEvent =
  /** All objects that there are: at the beginning, and whenever it can't be known what happened in between. */
  | {
      readonly kind: 'listed'
      readonly objects: readonly JsonRecord[]
      readonly resourceVersion: string
    }
  | { readonly kind: 'added' | 'changed' | 'removed'; readonly object: JsonRecord }
  /** The watch is lost for now, for this reason; it is tried again. */
  | { readonly kind: 'lost'; readonly problem: Problem }

export type Watching = {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** How long one watch lasts before it is begun anew where it was, in seconds: by default five to ten minutes. */
  readonly lasts?: number
}

const firstPause = 250
const longestPause = 30_000
/** A watch that brought no event and ended sooner than this, ms, was cut by a proxy in between. */
const shortest = 1000
const kinds: Readonly<Record<string, 'added' | 'changed' | 'removed'>> = {
  ADDED: 'added',
  MODIFIED: 'changed',
  DELETED: 'removed',
}

/** Ends only by its signal, and by problems that waiting does not solve: no right to watch, a kind that is gone. */
export async function* watchObjects(
  kubernetes: Kubernetes,
  kind: ApiKind,
  selection: Selection,
  watching: Watching,
): AsyncIterable<WatchEvent> {
  const { clock, signal } = watching
  /** Empty: the server does not have that history any more, or there was none. */
  let version = ''
  let failures = 0
  for (;;) {
    try {
      if (version === '') {
        const listed = await listObjects(kubernetes, kind, selection, signal)
        version = listed.resourceVersion
        yield { kind: 'listed', objects: listed.objects, resourceVersion: version }
      }
      const since = clock.now()
      let isQuiet = true
      for await (const line of open(kubernetes, kind, selection, watching, version)) {
        failures = 0
        isQuiet = false
        const object = recordOf(line['object'])
        if (line['type'] === 'ERROR') throw asProblem(kind, object)
        version = metadataOf(object).resourceVersion || version
        const what = kinds[textOf(line['type'])]
        if (what !== undefined) yield { kind: what, object: named(object, kind, selection) }
      }
      // its time was over, or something between us cuts it at once, each time
      if (isQuiet && clock.now() - since < shortest) throw cutOff(kind)
    } catch (error) {
      signal.throwIfAborted()
      const problem = problemOf(error)
      const isPastGone = statusIn(problem)?.code === 410
      if (isPastGone) version = ''
      else if (!isPassing(problem, failures)) throw problem
      failures += 1
      // the first time it is most often a server that was restarted, or history that was cut: nothing to speak of
      if (failures > 1 && !isPastGone) yield { kind: 'lost', problem }
      if (failures > 1) await clock.sleep(pauseAfter(failures, clock), signal)
    }
  }
}

async function* open(
  kubernetes: Kubernetes,
  kind: ApiKind,
  selection: Selection,
  { signal, lasts, clock }: Watching,
  version: string,
): AsyncIterable<JsonRecord> {
  const doing = `could not watch ${kind.plural}`
  const body = await kubernetes.stream(collectionPath(kind, selection.namespace), {
    query: {
      ...queryOf(selection),
      watch: true,
      allowWatchBookmarks: true,
      resourceVersion: version,
      timeoutSeconds: lasts ?? Math.round(300 * (1 + clock.random())),
    },
    accept: acceptOf(selection, 'PartialObjectMetadata'),
    signal,
    doing,
  })
  yield* linesOf(body)
}

/** An error inside a watch has the shape of a refused call. */
function asProblem(kind: ApiKind, status: JsonRecord): Problem {
  const code = numberOf(status['code'])
  return refusal(`could not watch ${kind.plural}`, code || 500, JSON.stringify(status))
}

function cutOff(kind: ApiKind): Problem {
  const message = `could not watch ${kind.plural}: the server ends each watch as soon as it begins`
  return new Problem({ type: 'runtime', code: 'unreachable', message, recoverable: true })
}

/** How often a kind may be unknown: it may have been made a moment ago, and not be served everywhere yet. */
const mostUnknown = 5

function isPassing(problem: Problem, failures: number): boolean {
  return problem.recoverable && (problem.code !== 'unknown_kind' || failures < mostUnknown)
}

/** The pause doubles each time, and half of it is chance: many watches lose one server at once. */
function pauseAfter(failures: number, clock: Clock): number {
  const pause = Math.min(longestPause, firstPause * 2 ** (failures - 2))
  return pause / 2 + (pause / 2) * clock.random()
}
