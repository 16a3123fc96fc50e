/** Rows of the audit log for what the command line does by itself, without a service. */
import { userInfo } from 'node:os'
import type { Memory, Session } from '../session.ts'

export async function auditShell(
  { audit }: Pick<Memory, 'audit'>,
  { clock }: Pick<Session, 'clock'>,
  what: { readonly action: string; readonly app?: string; readonly detail?: string },
): Promise<void> {
  const { uid, username } = currentUser()
  const who = { by: 'shell', id: `uid ${uid}`, who: username, address: 'this machine' }
  const { action, app = '', detail = '' } = what
  await audit.append({ at: clock.now(), ...who, action, app, detail, status: 0, count: 1 })
}

/** A user without an entry in the list of users has only a number. */
function currentUser(): { readonly uid: number; readonly username: string } {
  try {
    return userInfo()
  } catch {
    // a user that is in no list has a number all the same
    const uid = process.getuid?.() ?? -1
    return { uid, username: `uid ${uid}` }
  }
}
