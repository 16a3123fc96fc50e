/** `tend diff`: what a sync would change now. */
import type { Diff } from '#clients/service/client.ts'
import type { Json, JsonRecord } from '#model/json.ts'
import { shown } from '#model/plan.ts'
import type { AppStatus } from '#model/service.ts'
import type { Invocation } from '../arguments/invocation.ts'
import { askApp } from '../service/ask-app.ts'
import type { Desk } from '../session.ts'
import { short } from '../views/apps.ts'
import { harmless, mark, type Indicator } from '../views/paint.ts'
import { problemList } from '../views/problems.ts'

const signs = { create: '+', update: '~', replace: '~', delete: '-' } as const satisfies Record<
  string,
  Indicator
>

export async function diff(invocation: Invocation, desk: Desk): Promise<number> {
  const { path } = invocation.flags.kube
  if (path !== undefined) {
    const { diffKustomization } = await import('#cli/kube/verbs.ts')
    return diffKustomization(invocation, path, desk)
  }
  return askApp(invocation, desk, 'tell what differs', async (service, app) => {
    const found = await service.diff(app.key, desk.signal)
    return tellDiff(app, found, { same: `${app.key} is as it is declared.` }, invocation, desk)
  })
}

/** Exits 1 when nothing of it would be applied. */
export async function tellDiff(
  { key, application, desired }: AppStatus,
  { resources, skipped }: Diff,
  words: { readonly same: string; readonly of?: string },
  { flags }: Invocation,
  { screen }: Desk,
): Promise<number> {
  const isRefused = application.kind === 'kustomization' && skipped.length > 0
  const exit = isRefused ? 1 : flags.hasExitCode && resources.length > 0 ? 3 : 0
  if (screen.format !== 'table') {
    const lists: JsonRecord = JSON.parse(JSON.stringify({ resources, skipped }))
    await screen.document({ app: key, ...lists })
    return exit
  }
  const { of = `revision ${short(desired?.revision ?? '')}` } = words
  if (isRefused) screen.print([`${key}: ${of} is refused, and nothing of it would be applied.`])
  else if (resources.length + skipped.length === 0) screen.print([words.same])
  tellSteps(resources, screen)
  const problems = skipped.map(({ problem }) => problem)
  if (problems.length > 0) screen.note(problemList(problems, screen.paint).join('\n'))
  return exit
}

/** One step after the other, each with its changed fields. */
export function tellSteps(steps: readonly ShownStep[], screen: Desk['screen']): void {
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
