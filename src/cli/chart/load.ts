/** Everything that is known of a chart before it is rendered: its name, its values, its first install. */
import { createHmac } from 'node:crypto'
import type { ChartInput, ChartRendered, ValueLayer } from '#domains/charts/chart-input.ts'
import { keyOf, type Application } from '#model/application.ts'
import type { Rendered } from '#model/domain.ts'
import type { JsonRecord } from '#model/json.ts'
import type { ApplicationRecord } from '#model/store.ts'
import { directoryTree } from '#sources/directory.ts'
import { revisionOf } from '#sources/revision.ts'
import type { Flags } from '../arguments/invocation.ts'
import type { Memory, Session } from '../session.ts'
import { nameIn } from './chart-name.ts'
import { readLayers } from './layers.ts'
import { locateChart } from './locate.ts'
import { ownAgeKeys } from '../application/age-keys.ts'
import { runInputsOf, withRunInputs, type RunInputs } from '../application/run-inputs.ts'
import { installedSince } from '../application/from-history.ts'
import { lastGood, renderedAnew } from '#store/past.ts'
import { sourceOf } from '../application/source.ts'

export type Chart = {
  /** Undefined: Chart.yaml has no name that can be read. The render says why. */
  readonly application: Application | undefined
  readonly record: ApplicationRecord | undefined
  /** The name that the user typed, for headings. */
  readonly shown: string
  readonly since: number
  readonly revision: string
  readonly source: JsonRecord
  render(): Promise<ChartRendered>
  /** The text of NOTES.txt, once it has been rendered. */
  message(): string
  /** What a run applies and keeps. It holds the values beside the secrets, and is not rendered anew when nothing changed. */
  renderToKeep(): Promise<() => Rendered>
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
  const past = record && memory && (await lastGood(record.application, memory.store))
  const before = runInputsOf(past?.snapshot)
  const since = record?.since ?? (await installedSince(application, flags, session, known))
  const allowEnv = flags.allowEnv.length > 0 ? flags.allowEnv : sourceOf(record?.source).allowEnv
  const revision = revisionOf(tree)
  const layers = layersFor(flags, before.layers)
  const seed = await session.seed(
    memory?.key ?? noKey,
    application ? keyOf(application) : '',
    since,
  )
  const isInstalled = past?.run.outcome === 'succeeded'
  const release = releaseFor(
    createHmac('sha256', seed)
      .update(JSON.stringify([revision, layers]))
      .digest('hex'),
    isInstalled ? (before.release ?? { isInstall: true, revision: 1, inputs: '' }) : undefined,
  )
  const environment = variables(allowEnv, session.environment)
  const input: ChartInput = { tree, namespace, layers, since, seed, environment, release }
  const rendering = renderingOf(input, revision, session.build)
  let message = ''
  return {
    application,
    record,
    shown,
    since,
    revision,
    source: { path, allowEnv },
    render,
    async renderToKeep() {
      if (past !== undefined && rendering !== undefined && before.rendering === rendering) {
        message = before.message ?? ''
        return () => renderedAnew(past.snapshot, input.seed)
      }
      const rendered = await render()
      message = rendered.message
      return () => kept(rendered, input, { rendering, release })
    },
    message: () => message,
  }

  async function render(): Promise<ChartRendered> {
    const renderer = await session.chartRenderer()
    const { withOpened } = await import('#domains/containers/encrypted-files.ts')
    const keys = () => ownAgeKeys(session.environment)
    return withOpened(keys, (opened) => renderer({ ...input, opened }))
  }
}

/** A release that is applied again unchanged stays the same release, and templates see the same of it. */
function releaseFor(
  inputs: string,
  before: RunInputs['release'],
): NonNullable<RunInputs['release']> {
  if (before === undefined) return { isInstall: true, revision: 1, inputs }
  if (before.inputs === inputs) return before
  return { isInstall: false, revision: before.revision + 1, inputs }
}

/** A render with warnings or problems is made again, so that they are shown again. */
function kept(
  rendered: ChartRendered,
  input: ChartInput,
  { rendering, release }: Pick<RunInputs, 'rendering' | 'release'>,
): Rendered {
  const { resources, problems, warnings, isIncomplete, version } = rendered
  const isClean = problems.length === 0 && warnings.length === 0 && !isIncomplete
  const runInputs = {
    layers: input.layers,
    rendering: isClean ? rendering : undefined,
    environment: {},
    message: rendered.message,
    ...(release === undefined ? {} : { release }),
  }
  const vault = withRunInputs(rendered.vault, runInputs, input.seed)
  return { resources, problems, warnings, isIncomplete, version, vault }
}

/** The hash of everything that a render depends on, the program included. A Tend that runs from source always renders anew. */
function renderingOf(
  { namespace, layers, since, seed, environment, release }: ChartInput,
  revision: string,
  build: string | undefined,
): string | undefined {
  if (build === undefined) return undefined
  const all = [build, revision, namespace, layers, since, environment, release]
  return createHmac('sha256', seed).update(JSON.stringify(all)).digest('hex')
}

/** Works as Helm does: values that are given now replace all of the last good run, and without any those of that run count. */
function layersFor(flags: Flags, before: readonly ValueLayer[]): readonly ValueLayer[] {
  if (flags.layers.length > 0) return readLayers(flags.layers)
  return flags.resetsValues ? [] : before
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
