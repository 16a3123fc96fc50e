/** Everything that is known of a chart before it is rendered: its name, its values, its first install. */
import type { ChartInput, ChartRendered, ValueLayer } from '#domains/charts/chart-input.ts'
import { keyOf, type Application } from '#model/application.ts'
import type { Rendered } from '#model/domain.ts'
import type { JsonRecord } from '#model/json.ts'
import type { ApplicationRecord } from '#model/store.ts'
import { directoryTree } from '#sources/directory.ts'
import { revisionOf } from '#sources/revision.ts'
import type { Tree } from '#model/tree.ts'
import type { Flags } from '../arguments/invocation.ts'
import type { Memory, Session } from '../session.ts'
import { readLayers } from './layers.ts'
import { locateChart } from './locate.ts'
import { layersOf, sourceOf, withLayers } from './source.ts'
import { lastGood } from './past.ts'

export type Chart = {
  /** Undefined: Chart.yaml does not say its name; rendering tells why. */
  readonly application: Application | undefined
  readonly record: ApplicationRecord | undefined
  /** As the user named it, for headings. */
  readonly shown: string
  readonly since: number
  readonly revision: string
  readonly source: JsonRecord
  render(): ChartRendered
  /** What a run keeps: with the values beside the secrets. */
  renderToKeep(): Rendered
}

const noKey = new Uint8Array(32)

export async function loadChart(
  word: string,
  flags: Flags,
  session: Session,
  memory: Memory | undefined,
): Promise<Chart> {
  const { path, shown } = await locateChart(word, flags.namespace, memory?.store)
  const tree = directoryTree(shown)
  const name = await nameIn(tree)
  const { namespace } = flags
  const application = name === undefined ? undefined : ({ kind: 'chart', namespace, name } as const)
  const known = application && (await memory?.store.application(application))
  const record = known?.isUninstalled === true ? undefined : known
  const since = record?.since ?? session.clock.now()
  const key = memory?.key ?? noKey
  const layers = await layersFor(flags, record, memory)
  const last = sourceOf(record?.source)
  const allowEnv = flags.allowEnv.length > 0 ? flags.allowEnv : last.allowEnv
  const input: ChartInput = {
    tree,
    namespace,
    layers,
    since,
    seed: await session.seed(key, application === undefined ? '' : keyOf(application), since),
    environment: variables(allowEnv, session.environment),
  }
  const renderer = await session.renderer()
  return {
    application,
    record,
    shown,
    since,
    revision: revisionOf(tree),
    source: { path, allowEnv },
    render: () => renderer(input),
    renderToKeep() {
      const rendered = renderer(input)
      return { ...rendered, vault: withLayers(rendered.vault, layers, key) }
    },
  }
}

/** Only what identifies it: whatever else is wrong with the file, rendering says it with its place. */
export async function nameIn(tree: Tree): Promise<string | undefined> {
  const content = tree.read('Chart.yaml')
  if (content === undefined) return undefined
  const { parseDocument } = await import('yaml')
  const found: unknown = parseDocument(new TextDecoder().decode(content)).get('name')
  return typeof found === 'string' && found !== '' ? found : undefined
}

/** As Helm does: values given now stand alone; none given means those of the last run that went well. */
async function layersFor(
  flags: Flags,
  record: ApplicationRecord | undefined,
  memory: Memory | undefined,
): Promise<readonly ValueLayer[]> {
  if (flags.layers.length > 0) return readLayers(flags.layers)
  if (flags.resetsValues || record === undefined || memory === undefined) return []
  return layersOf((await lastGood(record.application, memory.store))?.snapshot)
}

function variables(
  names: readonly string[],
  environment: Session['environment'],
): Readonly<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const name of names) {
    const value = environment[name]
    if (value !== undefined) found[name] = value
  }
  return found
}
