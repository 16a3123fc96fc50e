/** `tend diff`: what a sync would change now. */
import type { Json } from '#model/json.ts'
import { shown } from '#model/plan.ts'
import type { Invocation } from '../arguments/invocation.ts'
import { askApp } from '../service/ask-app.ts'
import type { Desk } from '../session.ts'
import { harmless, mark, type Indicator } from '../views/paint.ts'

const signs = { create: '+', update: '~', replace: '~', delete: '-' } as const satisfies Record<
  string,
  Indicator
>

export async function diff(invocation: Invocation, desk: Desk): Promise<number> {
  const { screen, signal } = desk
  const { path } = invocation.flags.kube
  if (path !== undefined) {
    const { diffKustomization } = await import('#cli/kube/verbs.ts')
    return diffKustomization(invocation, path, desk)
  }
  return askApp(invocation, desk, 'tell what differs', async (service, { key }) => {
    const { resources } = await service.diff(key, signal)
    const exit = invocation.flags.hasExitCode && resources.length > 0 ? 3 : 0
    if (screen.format !== 'table') {
      const list: Json = JSON.parse(JSON.stringify(resources))
      await screen.document({ app: key, resources: list })
      return exit
    }
    if (resources.length === 0) screen.print([`${key} is as it is declared.`])
    tellSteps(resources, screen)
    return exit
  })
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
