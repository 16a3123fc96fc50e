/** Rows of the audit log for what the command line does by itself, without a service. */
import { shellUser } from '../application/with-who.ts'
import type { Memory, Session } from '../session.ts'

export async function auditShell(
  { audit }: Pick<Memory, 'audit'>,
  { clock }: Pick<Session, 'clock'>,
  what: { readonly action: string; readonly app?: string; readonly detail?: string },
): Promise<void> {
  const { uid, username } = shellUser()
  const who = { by: 'shell', id: `uid ${uid}`, who: username, address: 'this machine' }
  const { action, app = '', detail = '' } = what
  await audit.append({ at: clock.now(), ...who, action, app, detail, status: 0, count: 1 })
}
