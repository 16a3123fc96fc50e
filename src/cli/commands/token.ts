/** `tend token`: who may talk to the service. Without --server, that of this home, whether it runs or not. */
import { serviceAt, type Token } from '#clients/service/client.ts'
import { createToken, describeToken, listTokens, revokeToken } from '#server/access/tokens.ts'
import type { JsonRecord } from '#model/json.ts'
import { closest } from '../arguments/closest.ts'
import type { Invocation, ServiceFlags } from '../arguments/invocation.ts'
import { momentOf } from '../arguments/moment.ts'
import { usageProblem } from '../arguments/usage.ts'
import { findService } from '../service/find.ts'
import { auditShell } from '../service/shell-audit.ts'
import type { CommandContext } from '../session.ts'
import { columns } from '../views/columns.ts'
import { harmless } from '../views/paint.ts'
import { ago, span } from '../views/time.ts'

const verbs = ['create', 'list', 'revoke']
const roles = ['read', 'sync', 'admin'] as const satisfies readonly Token['role'][]

type NewToken = Omit<Token, 'id' | 'createdAt'>

type Registry = {
  list(): Promise<readonly Token[]>
  create(wanted: NewToken): Promise<{ readonly token: Token; readonly text: string }>
  revoke(id: string): Promise<Token>
  close(): void
}

export async function token(invocation: Invocation, context: CommandContext): Promise<number> {
  const [verb = '', id] = invocation.words
  checkWords(verb, id)
  const { flags } = invocation
  const role = verb === 'create' ? roleOf(flags.service.role) : undefined
  const registry = await registryFor(invocation, context)
  try {
    if (role !== undefined) await create(registry, wantedBy(role, flags.service, context), context)
    else if (verb === 'revoke') await revoke(registry, id ?? '', context)
    else await list(registry, context)
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

/** Other names that Kubernetes and similar tools have for the roles. */
const aliases: Readonly<Record<string, string>> = { viewer: 'read', operator: 'sync' }

function wantedBy(role: Token['role'], flags: ServiceFlags, { session }: CommandContext): NewToken {
  const { name = role, app, expires } = flags
  const now = session.clock.now()
  const expiresAt = momentOf('expires', expires, now, 1)
  if (expiresAt !== undefined && expiresAt <= now) {
    throw usageProblem(`--expires: ${expires} is over already`, 'choose a time to come')
  }
  return {
    name,
    role,
    ...(app.length === 0 ? {} : { apps: app }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  }
}

function roleOf(text: string | undefined): Token['role'] {
  const role = roles.find((one) => one === (aliases[text ?? ''] ?? text))
  if (role !== undefined) return role
  const suggestion = 'read may look, sync may also sync and suspend, admin may also make tokens'
  if (text === undefined) throw usageProblem('tend token create needs --role', suggestion)
  throw usageProblem(`there is no role ${JSON.stringify(text)}`, suggestion)
}

/** Writes to the store directly where it is at hand: that needs no running service, and no token to make the first one. */
async function registryFor(
  { flags }: Invocation,
  { session, signal }: CommandContext,
): Promise<Registry> {
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
  const memory = await session.memory()
  const { notes } = memory
  return {
    list: () => listTokens(notes),
    async create(wanted) {
      const made = await createToken(notes, session.clock, wanted)
      const detail = describeToken(made.token)
      await auditShell(memory, session, { action: 'createToken', detail })
      return made
    },
    async revoke(id) {
      const revoked = await revokeToken(notes, id)
      const detail = describeToken(revoked)
      await auditShell(memory, session, { action: 'revokeToken', detail })
      return revoked
    },
    close: () => undefined,
  }
}

/** Prints nothing but the token to stdout, so that a script can read it. */
async function create(
  registry: Registry,
  wanted: NewToken,
  { screen }: CommandContext,
): Promise<void> {
  const { token: made, text } = await registry.create(wanted)
  const { name, role } = wanted
  if (screen.format !== 'table') return screen.document({ ...plainly(made), token: text })
  screen.note(`Token ${made.id} (${name}, role ${role}); it is not shown again:`)
  screen.print([text])
}

async function list(registry: Registry, { screen, session }: CommandContext): Promise<void> {
  const tokens = await registry.list()
  if (screen.format !== 'table') return screen.document({ tokens: tokens.map(plainly) })
  if (tokens.length === 0) {
    return screen.print([
      'There are no tokens: only the verbs of the user who runs the service come in. tend token create makes one.',
    ])
  }
  const now = session.clock.now()
  screen.print(
    columns(
      ['ID', 'NAME', 'ROLE', 'APPS', 'MADE', 'ENDS'],
      tokens.map(({ id, name, role, apps, createdAt, expiresAt }) =>
        [id, name, role, apps?.join(' ') ?? 'all', ago(now - createdAt), ends(expiresAt, now)].map(
          harmless,
        ),
      ),
    ),
  )
}

/** Fields that are not set are left out. */
function plainly(token: Token): JsonRecord {
  const plain: JsonRecord = JSON.parse(JSON.stringify(token))
  return plain
}

function ends(expiresAt: number | undefined, now: number): string {
  if (expiresAt === undefined) return 'never'
  return expiresAt <= now ? 'over' : `in ${span(expiresAt - now)}`
}

async function revoke(registry: Registry, id: string, { screen }: CommandContext): Promise<void> {
  const { name, role } = await registry.revoke(id)
  if (screen.format !== 'table') return screen.document({ id, name, role, revoked: true })
  screen.print([`Token ${id} (${name}, role ${role}) is worth nothing any more.`])
}
