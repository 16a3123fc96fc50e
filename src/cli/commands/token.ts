/** `tend token`: who may talk to the service. Without --server, that of this home, whether it runs or not. */
import { serviceAt, type Token } from '#clients/service/client.ts'
import { createToken, listTokens, revokeToken } from '#server/access/tokens.ts'
import { closest } from '../arguments/closest.ts'
import type { Invocation } from '../arguments/invocation.ts'
import { usageProblem } from '../arguments/usage.ts'
import { findService } from '../service/find.ts'
import type { Desk } from '../session.ts'
import { columns } from '../views/columns.ts'
import { ago } from '../views/time.ts'

const verbs = ['create', 'list', 'revoke']
const roles = ['read', 'sync', 'admin'] as const satisfies readonly Token['role'][]

type Registry = {
  list(): Promise<readonly Token[]>
  create(
    wanted: Pick<Token, 'name' | 'role'>,
  ): Promise<{ readonly token: Token; readonly text: string }>
  revoke(id: string): Promise<Token>
  close(): void
}

export async function token(invocation: Invocation, desk: Desk): Promise<number> {
  const [verb = '', id] = invocation.words
  checkWords(verb, id)
  const { flags } = invocation
  const role = verb === 'create' ? roleOf(flags.service.role) : undefined
  const registry = await registryFor(invocation, desk)
  try {
    if (role !== undefined) await create(registry, role, flags.service.name ?? role, desk)
    else if (verb === 'revoke') await revoke(registry, id ?? '', desk)
    else await list(registry, desk)
    return 0
  } finally {
    registry.close()
  }
}

function checkWords(verb: string, id: string | undefined): void {
  if (!verbs.includes(verb)) {
    const meant = closest(verb, verbs)
    const suggestion =
      meant === undefined ? `there are: ${verbs.join(', ')}` : `did you mean ${meant}?`
    throw usageProblem(`tend token does not know ${JSON.stringify(verb)}`, suggestion)
  }
  if (verb === 'revoke' && id === undefined) {
    throw usageProblem('tend token revoke needs the id of a token', 'tend token list shows them')
  }
  if (verb !== 'revoke' && id !== undefined) {
    throw usageProblem(
      `tend token ${verb} does not know what to do with: ${id}`,
      '--name gives it a name',
    )
  }
}

function roleOf(text: string | undefined): Token['role'] {
  const role = roles.find((one) => one === text)
  if (role !== undefined) return role
  const suggestion = 'read may look, sync may also sync and suspend, admin may also make tokens'
  if (text === undefined) throw usageProblem('tend token create needs --role', suggestion)
  throw usageProblem(`there is no role ${JSON.stringify(text)}`, suggestion)
}

/** The notes themselves where they are at hand: that works with no service running, and needs no token to make the first. */
async function registryFor({ flags }: Invocation, { session, signal }: Desk): Promise<Registry> {
  const isRemote =
    flags.service.server !== undefined || (session.environment['TEND_SERVER'] ?? '') !== ''
  const address = isRemote ? findService(flags, session) : undefined
  if (address !== undefined) {
    const service = serviceAt(address)
    return {
      list: () => service.tokens(signal),
      create: (wanted) => service.createToken(wanted, signal),
      revoke: (id) => service.revokeToken(id, signal),
      close: () => service.close(),
    }
  }
  const { notes } = await session.memory()
  return {
    list: () => listTokens(notes),
    create: (wanted) => createToken(notes, session.clock, wanted),
    revoke: (id) => revokeToken(notes, id),
    close: () => undefined,
  }
}

/** The text alone on stdout, so that a script can take it. */
async function create(
  registry: Registry,
  role: Token['role'],
  name: string,
  { screen }: Desk,
): Promise<void> {
  const { token: made, text } = await registry.create({ name, role })
  if (screen.format !== 'table') return screen.document({ ...made, token: text })
  screen.note(`Token ${made.id} (${name}, role ${role}); it is not shown again:`)
  screen.print([text])
}

async function list(registry: Registry, { screen, session }: Desk): Promise<void> {
  const tokens = await registry.list()
  if (screen.format !== 'table')
    return screen.document({ tokens: tokens.map((one) => ({ ...one })) })
  if (tokens.length === 0) {
    return screen.print([
      'There are no tokens: only the verbs of the user who runs the service come in. tend token create makes one.',
    ])
  }
  const now = session.clock.now()
  screen.print(
    columns(
      ['ID', 'NAME', 'ROLE', 'MADE'],
      tokens.map(({ id, name, role, createdAt }) => [id, name, role, ago(now - createdAt)]),
    ),
  )
}

async function revoke(registry: Registry, id: string, { screen }: Desk): Promise<void> {
  const { name, role } = await registry.revoke(id)
  if (screen.format !== 'table') return screen.document({ id, name, role, revoked: true })
  screen.print([`Token ${id} (${name}, role ${role}) is worth nothing any more.`])
}
