/** Two folders may give their stacks the same name. What was applied from one must not be changed by the other. */
import { existsSync, realpathSync } from 'node:fs'
import type { Application } from '#model/application.ts'
import { isRecord, type Json } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import type { Store } from '#model/store.ts'
import type { Flags } from '../arguments/invocation.ts'
import { mainFile, projectOptionsOf } from './project-options.ts'
import { shownFile } from '../compose/problems.ts'

/** A user who names the stack means that one. A folder that was moved does not exist at its old place. */
export async function checkPlace(
  application: Application,
  flags: Flags,
  store: Store | undefined,
): Promise<void> {
  if (flags.project.name !== undefined) return
  const known = await store?.application(application)
  if (known === undefined || known.isUninstalled || !isRecord<Json>(known.source)) return
  const { folder, path } = known.source
  if (typeof folder !== 'string' || typeof path !== 'string') return
  const now = projectOptionsOf(flags)
  if (!existsSync(path) || realPath(folder) === realPath(now.folder)) return
  const { name } = application
  const file = shownFile(mainFile(now))
  throw new Problem({
    type: 'configuration',
    code: 'usage',
    message: `${name} was applied from ${folder}, and this is ${now.folder}`,
    suggestion: `give this one another name with -p NAME; or, if it is the same stack, say so with -p ${name} -f ${file}`,
  })
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // a folder that is gone is compared as it is written
    return path
  }
}
