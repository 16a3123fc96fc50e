/** Requests to the engine, with what all of them have in common. */
import { requestOf, type Options, type Request } from '#engine/request.ts'
import { wordsFor } from '#kinds/all.ts'
import type { Application } from '#model/application.ts'
import type { Rendered } from '#model/domain.ts'
import type { Plan } from '#model/plan.ts'
import { kindOf, nameOf } from '#model/ref.ts'
import type { Flags } from '../arguments/invocation.ts'
import type { CommandContext } from '../session.ts'
import { listed } from '../views/labels.ts'
import { withWho } from './with-who.ts'

/** The parts in which requests differ. */
type OwnParts = Pick<Request, 'revision' | 'since' | 'source'> &
  Partial<Pick<Request, 'trigger' | 'approve'>> & {
    /** Undefined: everything is removed. */
    readonly render: (() => Rendered | Promise<Rendered>) | undefined
  }

export function requestFor(
  application: Application,
  flags: Flags,
  { session, screen }: CommandContext,
  own: OwnParts,
): Request {
  const { ask } = screen
  const asks = ask !== undefined && !flags.isSure
  return requestOf({
    application,
    instance: session.instance,
    trigger: 'manual',
    isDryRun: flags.isDryRun,
    holder: session.holder,
    options: { ...optionsOf(flags), wayOut: (flag) => wayOut(flag, application) },
    ...(asks ? { approve: (plan: Plan) => approved(plan, ask) } : {}),
    ...own,
    source: withWho(own.source, own.trigger ?? 'manual'),
  })
}

function optionsOf(flags: Flags): Options {
  const { isAtomic, waits, timeout, concurrency, allowEmpty, allowMassDelete } = flags
  const { recreateVolumes, pruneVolumes } = flags
  return {
    isAtomic,
    waits,
    timeout,
    concurrency,
    allowEmpty,
    allowMassDelete,
    recreateVolumes,
    pruneVolumes,
  }
}

function wayOut(flag: 'allow-empty' | 'allow-mass-delete', application: Application): string {
  const remove = wordsFor(application).removeCommand?.(application)
  const removes = flag === 'allow-empty' && remove !== undefined
  return `add --${flag}${removes ? `, or use: ${remove}` : ''}`
}

/** Asks the user before data is removed, and about nothing else. */
async function approved(plan: Plan, ask: (question: string) => Promise<boolean>): Promise<boolean> {
  const lost = plan.groups.filter(
    ({ ref, step }) => kindOf(ref) === 'volume' && (step === 'delete' || step === 'replace'),
  )
  if (lost.length === 0) return true
  const names = listed(lost.map(({ ref }) => nameOf(ref)))
  const volumes = lost.length === 1 ? `volume ${names}` : `the volumes ${names}`
  return ask(`This removes the data of ${volumes}. Go on?`)
}
