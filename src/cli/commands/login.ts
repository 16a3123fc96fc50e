/** `tend login`: opens the dashboard for whoever has the command line, without a token to copy. */
import { spawn } from 'node:child_process'
import { withService, findService, noService } from '../service/find.ts'
import type { Invocation } from '../arguments/invocation.ts'
import type { CommandContext } from '../session.ts'

export async function login(
  { flags }: Invocation,
  { session, screen, signal }: CommandContext,
): Promise<number> {
  const address = findService(flags, session)
  if (address === undefined) throw noService('log anybody in')
  const { code, expiresAt } = await withService(address, (service) => service.loginLink(signal))
  // behind the #: it is never sent, so neither a log nor a proxy has it
  const url = `${address.url.replace(/\/+$/, '')}/#login=${code}`
  if (screen.format !== 'table') {
    await screen.document({ url, expiresAt: new Date(expiresAt).toISOString() })
    return 0
  }
  screen.note('It logs one browser in, within two minutes:')
  screen.print([url])
  if (process.stdout.isTTY) open(url, session.environment)
  return 0
}

/** Where no browser can be opened the printed line is enough. */
function open(url: string, environment: Readonly<Record<string, string | undefined>>): void {
  const program = environment['BROWSER'] ?? (process.platform === 'darwin' ? 'open' : 'xdg-open')
  const child = spawn(program, [url], { stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
}
