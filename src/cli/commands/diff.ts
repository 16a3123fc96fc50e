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

export function diff(invocation: Invocation, desk: Desk): Promise<number> {
  const { screen, signal } = desk
  return askApp(invocation, desk, 'tell what differs', async (service, { key }) => {
    const { resources } = await service.diff(key, signal)
    const exit = invocation.flags.hasExitCode && resources.length > 0 ? 3 : 0
    if (screen.format !== 'table') {
      const list: Json = JSON.parse(JSON.stringify(resources))
      await screen.document({ app: key, resources: list })
      return exit
    }
    if (resources.length === 0) screen.print([`${key} is as it is declared.`])
    for (const { ref, step, cause, changes } of resources) {
      screen.print([
        `${mark(signs[step], screen.paint)} ${ref}  ${step}: ${harmless(cause)}`,
        ...changes.map(({ path, from, to }) =>
          harmless(`    ${path}: ${worded(from)} → ${worded(to)}`),
        ),
      ])
    }
    return exit
  })
}

function worded(value: unknown): string {
  const json: Json = JSON.parse(JSON.stringify(value ?? null))
  return shown(json)
}
