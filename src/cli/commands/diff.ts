/** `tend diff`: what a sync would change now. */
import { isOfCluster } from '#kinds/all.ts'
import type { Diff } from '#clients/service/client.ts'
import type { Json, JsonRecord } from '#model/json.ts'
import { shown } from '#model/plan.ts'
import type { AppStatus } from '#model/service.ts'
import type { Invocation } from '../arguments/invocation.ts'
import { askApp } from '../service/ask-app.ts'
import type { CommandContext } from '../session.ts'
import { short } from '../views/apps.ts'
import { harmless, mark, type Indicator } from '../views/paint.ts'
import { problemList } from '../views/problems.ts'

const signs = { create: '+', update: '~', replace: '~', delete: '-' } as const satisfies Record<
  string,
  Indicator
>

export async function diff(invocation: Invocation, context: CommandContext): Promise<number> {
  const { path } = invocation.flags.kube
  if (path !== undefined) {
    const { diffKustomization } = await import('#cli/kube/verbs.ts')
    return diffKustomization(invocation, path, context)
  }
  return askApp(invocation, context, 'tell what differs', async (service, app) => {
    const { adopts } = invocation.flags.stack
    const found = await service.diff(app.key, context.signal, undefined, adopts)
    return tellDiff(app, found, { same: `${app.key} is as it is declared.` }, invocation, context)
  })
}

/** Gives 1 when nothing of the plan would be applied. */
export async function tellDiff(
  { key, application, desired }: AppStatus,
  { resources, skipped, notes = [] }: Diff,
  words: { readonly same: string; readonly of?: string },
  { flags }: Invocation,
  { screen }: CommandContext,
): Promise<number> {
  const isRefused = isOfCluster(application) && skipped.length > 0
  const exit = isRefused ? 1 : flags.hasExitCode && resources.length > 0 ? 3 : 0
  if (screen.format !== 'table') {
    const lists: JsonRecord = JSON.parse(JSON.stringify({ resources, skipped, notes }))
    await screen.document({ app: key, ...lists })
    return exit
  }
  const { of = `revision ${short(desired?.revision ?? '')}` } = words
  if (isRefused) screen.print([`${key}: ${of} is refused, and nothing of it would be applied.`])
  else if (resources.length + skipped.length === 0) screen.print([words.same])
  tellSteps(resources, screen)
  for (const note of notes) screen.note(harmless(note))
  const problems = skipped.map(({ problem }) => problem)
  if (problems.length > 0) screen.note(problemList(problems, screen.paint).join('\n'))
  return exit
}

/** One step after the other, each with its changed fields. */
export function tellSteps(steps: readonly ShownStep[], screen: CommandContext['screen']): void {
  for (const { ref, step, cause, changes } of steps) {
    screen.print([
      `${mark(signs[step], screen.paint)} ${ref}  ${step}: ${harmless(cause)}`,
      ...changes.map(({ path, from, to }) =>
        harmless(`    ${path}: ${worded(from)} → ${worded(to)}`),
      ),
    ])
  }
}

type ShownStep = {
  readonly ref: string
  readonly step: keyof typeof signs
  readonly cause: string
  readonly changes: readonly {
    readonly path: string
    readonly from?: unknown
    readonly to?: unknown
  }[]
}

function worded(value: unknown): string {
  const json: Json = JSON.parse(JSON.stringify(value ?? null))
  return shown(json)
}
