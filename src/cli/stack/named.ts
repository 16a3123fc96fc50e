/** Which stack is meant, for the verbs that need only its name. */
import { existsSync } from 'node:fs'
import { isRecord, type Json } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import type { Store } from '#model/store.ts'
import { allInstalled, type ApplicationQuery } from '../application/installed.ts'
import type { Flags } from '../arguments/invocation.ts'
import type { CommandContext } from '../session.ts'
import { variablesOf } from '../compose/variables.ts'
import { mainFile, projectOptionsOf } from './project-options.ts'
import { defined } from '#model/defined.ts'

/** The stack of `-p NAME`, else the one that was applied from these files, else the one that the files name. */
export async function soughtStack(
  flags: Flags,
  context: CommandContext,
  store: Store | undefined,
): Promise<ApplicationQuery> {
  const name =
    flags.project.name ?? (await appliedFrom(flags, store)) ?? (await nameInFiles(flags, context))
  return { name, namespace: null, kinds: ['stack'] }
}

async function appliedFrom(flags: Flags, store: Store | undefined): Promise<string | undefined> {
  const file = mainFile(projectOptionsOf(flags))
  const all = await allInstalled(null, store)
  const same = all.filter(({ application, source }) => {
    return application.kind === 'stack' && isRecord<Json>(source) && source['path'] === file
  })
  return same.length === 1 ? defined(same[0]).application.name : undefined
}

async function nameInFiles(flags: Flags, { session }: CommandContext): Promise<string> {
  const { renderFiles } = await import('#cli/stack/render-files.ts')
  const wishes = { ...projectOptionsOf(flags), allowsOutside: true }
  const variables = wishes.usesEnvironment ? variablesOf(session.environment) : {}
  const { rendered } = renderFiles(wishes, variables)
  if (rendered.project !== '') return rendered.project
  const [first] = rendered.problems
  const isMissing = !existsSync(mainFile(wishes)) || mainFile(wishes) === wishes.folder
  const message = first?.message ?? "the stack's name is not known"
  throw new Problem({
    type: 'configuration',
    code: 'compose_error',
    message,
    at: first?.at,
    suggestion: `${isMissing ? 'go to its folder, name its file with -f FILE' : 'mend the file'}, or name the stack with -p NAME`,
  })
}
