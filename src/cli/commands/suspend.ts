/** `tend suspend` and `tend resume`: whether the service looks after an application; also for its next start. */
import type { Invocation } from '../arguments/invocation.ts'
import { kustomizationIn } from '../arguments/object-names.ts'
import { askApp, tellStatus } from '../service/ask-app.ts'
import { findService, noService } from '../service/find.ts'
import { auditShell } from '../service/shell-audit.ts'
import { setSuspended, storedApps } from '../service/from-store.ts'
import { nameWith, whichApp } from '../service/which-app.ts'
import type { CommandContext } from '../session.ts'

export function suspend(invocation: Invocation, context: CommandContext): Promise<number> {
  return set('suspend', invocation, context)
}

export function resume(invocation: Invocation, context: CommandContext): Promise<number> {
  return set('resume', invocation, context)
}

async function set(
  verb: 'suspend' | 'resume',
  invocation: Invocation,
  context: CommandContext,
): Promise<number> {
  const byService = () => setByService(verb, invocation, context)
  if (kustomizationIn(invocation.words[0] ?? '') === undefined) return byService()
  const { orOnObject } = await import('#cli/kube/verbs.ts')
  return orOnObject(verb, invocation, context, byService)
}

async function setByService(
  verb: 'suspend' | 'resume',
  invocation: Invocation,
  context: CommandContext,
): Promise<number> {
  const { session, screen, signal } = context
  if (findService(invocation.flags, session) !== undefined) {
    return askApp(invocation, context, verb, async (service, { key }) => {
      await tellStatus(await service.set(verb, key, signal), context)
      return 0
    })
  }
  const memory = await session.memoryIfAny()
  const known = await storedApps(memory, session.instance)
  if (known.length === 0) throw noService(verb)
  const { key } = whichApp(nameWith(invocation.flags.namespace, invocation.words[0] ?? ''), known)
  const isSuspended = verb === 'suspend'
  if (memory !== undefined) {
    await setSuspended(memory, key, isSuspended)
    await auditShell(memory, session, { action: verb, app: key })
  }
  if (screen.format !== 'table') await screen.document({ key, isSuspended })
  else
    screen.print([
      `${key}: ${verb}ed, for when the service runs again`.replace('resumeed', 'resumed'),
    ])
  return 0
}
