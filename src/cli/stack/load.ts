/** Everything that is known of a stack before a run: its name, its resources, its first start. */
import { keyOf, type Application } from '#model/application.ts'
import type { Rendered } from '#model/domain.ts'
import type { EngineAddress } from '#model/engine-address.ts'
import type { Json, JsonRecord } from '#model/json.ts'
import type { ApplicationRecord } from '#model/store.ts'
import { vaultOf } from '#model/vault.ts'
import { ownAgeKeys } from '../application/age-keys.ts'
import { engineIn, withEngine } from '../application/engine.ts'
import { installedAs } from '../application/installed.ts'
import { runInputsOf, withRunInputs } from '../application/run-inputs.ts'
import { lastGood } from '#store/past.ts'
import { installedSince } from '../application/from-history.ts'
import type { Flags } from '../arguments/invocation.ts'
import type { Memory, Session } from '../session.ts'
import { variablesOf } from '../compose/variables.ts'
import { composeVersionOf } from '../compose/compose-version.ts'
import { shownFile } from '../compose/problems.ts'
import { checkScale } from './check-scale.ts'
import type { RenderedFiles } from './render-files.ts'
import { passedOver, withAdvice } from './unset-variables.ts'
import {
  mainFile,
  sourceOfOptions,
  projectOptionsAgain,
  projectOptionsOf,
  type ProjectOptions,
} from './project-options.ts'

export type Stack = {
  /** Undefined: the files can't be read, so that the name is not known. The render says why. */
  readonly application: Application | undefined
  /** The name that the user typed, for headings. */
  readonly shown: string
  readonly since: number
  readonly revision: string
  readonly source: Json
  readonly rendered: Rendered
}

export async function loadStack(flags: Flags, session: Session, memory: Memory): Promise<Stack> {
  const { made, wishes, engine } = await readStack(flags, session, memory)
  checkScale(made.rendered, flags.stack.scale)
  const { project, resources, problems, warnings, isIncomplete, version, leaves } = made.rendered
  const application: Application | undefined =
    project === '' ? undefined : { kind: 'stack', namespace: null, name: project }
  const known = application && (await memory.store.application(application))
  const record = known?.isUninstalled === true ? undefined : known
  const since = record?.since ?? (await installedSince(application, flags, session, known))
  const seed = await session.seed(memory.key, application ? keyOf(application) : '', since)
  const runInputs = { layers: [], rendering: undefined, environment: made.environment }
  const vault = withRunInputs(vaultOf(made.rendered.vault.contents(), seed), runInputs, seed)
  return {
    application,
    shown: shownFile(mainFile(wishes)),
    since,
    revision: made.revision,
    source: withEngine({ ...sourceOfOptions(wishes), ...left(made.rendered.inactive) }, engine),
    rendered: {
      resources,
      problems,
      warnings: [
        ...withAdvice(warnings, session.environment),
        ...passedOver(made.rendered.missing, warnings, session.environment),
      ],
      isIncomplete,
      version,
      vault,
      ...(leaves === undefined ? {} : { leaves }),
    },
  }
}

type StackRead = {
  readonly made: RenderedFiles
  readonly wishes: ProjectOptions
  readonly engine: EngineAddress | undefined
}

/** Reads the files of the stack, and decrypts what is encrypted in them. */
export async function readStack(
  flags: Flags,
  session: Session,
  memory: Memory,
): Promise<StackRead> {
  const { wishes: asked, environment, engine } = await meant(flags, session, memory)
  const wishes = { ...asked, composeVersion: await composeVersionOf(flags, session) }
  const { renderFiles } = await import('#cli/stack/render-files.ts')
  const { withOpened } = await import('#domains/containers/encrypted-files.ts')
  const made = await withOpened(
    () => ownAgeKeys(session.environment),
    (open) => renderFiles(wishes, wishes.usesEnvironment ? environment : {}, open),
  )
  return { made, wishes, engine }
}

/** Recorded with the run, so that a later look at what was applied knows which services were left alone. */
function left(inactive: readonly string[]): JsonRecord {
  return inactive.length === 0 ? {} : { inactive: [...inactive] }
}

type ProjectMeant = {
  readonly wishes: ProjectOptions
  readonly environment: Readonly<Record<string, string>>
  /** The engine on which the stack that was named runs. */
  readonly engine?: EngineAddress | undefined
}

/** `-p NAME` alone means the stack of that name, from where it was last applied and with the variables of that time. */
async function meant(flags: Flags, session: Session, { store }: Memory): Promise<ProjectMeant> {
  const now = projectOptionsOf(flags)
  const environment = variablesOf(session.environment)
  const { name, files, directory } = flags.project
  if (name === undefined || files.length > 0 || directory !== undefined) {
    return { wishes: now, environment }
  }
  const record = await installedAs({ name, namespace: null, kinds: ['stack'] }, store)
  const wishes = projectOptionsAgain(record?.source, now)
  if (record === undefined || wishes === undefined) return { wishes: now, environment }
  const engine = engineIn(record.source)
  if (now.usesEnvironment) return { wishes, environment, engine }
  return { wishes, environment: await environmentOf(record, store), engine }
}

async function environmentOf(
  { application }: ApplicationRecord,
  store: Memory['store'],
): Promise<Readonly<Record<string, string>>> {
  return runInputsOf((await lastGood(application, store))?.snapshot).environment
}
