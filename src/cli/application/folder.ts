/** A folder that is installed as it is, of whichever kind: found by its file, rendered as the service renders it. */
import { existsSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { allKinds } from '#kinds/all.ts'
import { keyOf, type Application } from '#model/application.ts'
import type { ApplicationKind } from '#model/application-kind.ts'
import type { Declared } from '#model/declaration.ts'
import type { Rendered } from '#model/domain.ts'
import type { RenderContext } from '#model/render.ts'
import type { Snapshot } from '#model/source.ts'
import { allowAll } from '#model/policy.ts'
import { usualPolicy } from '#model/usual-policy.ts'
import { vaultOf } from '#model/vault.ts'
import { bindFilesIn } from '#sources/bind-files.ts'
import { directoryTree } from '#sources/directory.ts'
import { revisionOf } from '#sources/revision.ts'
import type { Flags } from '../arguments/invocation.ts'
import { exitCodeOf } from '../exit-code.ts'
import type { CommandContext } from '../session.ts'
import { installedSince } from './from-history.ts'
import { requestFor } from './request.ts'
import { startRun, type Heading } from './start.ts'

/** Undefined: no kind that is installed from folders has a file there. */
export function kindOfFolder(word: string): ApplicationKind | undefined {
  return allKinds.find(
    ({ installs }) => installs !== undefined && existsSync(join(resolve(word), installs.file)),
  )
}

export async function applyFolder(
  kind: ApplicationKind,
  word: string,
  heading: Omit<Heading, 'subject'>,
  flags: Flags,
  context: CommandContext,
): Promise<number> {
  const { session } = context
  const memory = await session.memory()
  const path = resolve(word)
  const { namespace } = flags
  const application: Application = { kind: kind.name, namespace, name: basename(path) }
  const known = await memory.store.application(application)
  const isKnown = known?.isUninstalled === false
  const since = isKnown ? known.since : await installedSince(application, flags, session, known)
  const seed = await session.seed(memory.key, keyOf(application), since)
  const tree = directoryTree(path)
  const revision = revisionOf(tree)
  const declared = declaredBy(application, path, flags)
  const rendered = await renderedBy(
    kind,
    declared,
    { revision, message: '', at: 0, folder: path, tree },
    { since, seed, bindFiles: bindFilesIn(join(session.home, 'files')), sharesFiles: true },
  )
  const request = requestFor(application, flags, context, {
    since,
    revision,
    source: { path },
    render: () => rendered,
  })
  const summary = await startRun(request, { ...heading, subject: word }, flags, context, memory)
  return exitCodeOf(summary, flags.hasExitCode)
}

/** The declaration of a folder that a user applies: everything is allowed. */
function declaredBy(application: Application, path: string, { target }: Flags): Declared {
  return {
    application,
    source: { kind: 'directory', path },
    path: '',
    files: [],
    profiles: [],
    values: {},
    target,
    policy: { ...usualPolicy, security: allowAll },
    at: undefined,
  }
}

async function renderedBy(
  kind: ApplicationKind,
  declared: Declared,
  snapshot: Snapshot,
  context: RenderContext,
): Promise<Rendered> {
  const loaded = await kind.load?.()
  const answer = loaded && (await kind.render?.(loaded.request(declared, snapshot, context)))
  if (answer === undefined) throw new TypeError(`${kind.words.plural} are not rendered from files`)
  const { resources, problems, warnings, isIncomplete, version, secrets } = answer
  const vault = vaultOf(secrets, context.seed)
  return { resources, problems, warnings, isIncomplete, version, vault }
}
