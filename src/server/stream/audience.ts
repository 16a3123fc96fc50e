/** What one reader of events hears: within its rights, of one application or of those that a filter lets through. */
import type { Service } from '#model/service.ts'
import type { Caller } from '../access/caller.ts'
import { isWhole, mayUse, sourceKey, visibleSources } from '../access/scope.ts'
import type { RowTest } from '../overview/filter.ts'
import type { Rows } from '../overview/rows.ts'
import { bytesOf, type Audience, type Frame } from './frame.ts'

export type Wanted = {
  /** Only this one. */
  readonly app?: string | undefined
  readonly test?: RowTest
  readonly isBrief?: boolean
}

/** Undefined: it hears everything. */
export function audienceOf(
  { service, rows }: { readonly service: Service; readonly rows: Rows },
  caller: Caller,
  { app: wanted, test, isBrief = false }: Wanted = {},
): Audience {
  if (isWhole(caller) && wanted === undefined && test === undefined && !isBrief) return undefined
  /** Applications that the filter lets through, as this reader was told; undefined: there is no filter. */
  const inside = test && new Set([...rows.all()].filter(test).map(({ row }) => row.key))

  /** Of sources a bound token hears only where one of its applications comes from. */
  function mayHearOf(subject: string | undefined): boolean {
    const visible = new Set(visibleSources(service, caller).map(sourceKey))
    if (subject !== 'refresh') return visible.has(subject ?? '')
    const [first] = service.sources()
    return first !== undefined && visible.has(sourceKey(first))
  }

  function mayHear({ app, subject }: Pick<Frame, 'app' | 'subject'>): boolean {
    if (app !== undefined) return (wanted === undefined || app === wanted) && mayUse(caller, app)
    return isWhole(caller) || mayHearOf(subject)
  }

  /** One that the filter let through and does not any more is told as `left`. Who was away may have had any of them. */
  function filtered(frame: Frame, app: string, wasMissed: boolean): Frame | undefined {
    const wasInside = inside?.has(app) !== false || wasMissed
    if (test === undefined || frame.row === undefined) return wasInside ? frame : undefined
    if (test(frame.row)) {
      inside?.add(app)
      return frame
    }
    inside?.delete(app)
    return wasInside ? leftBy(frame, app) : undefined
  }

  return {
    isBrief,
    hears: (about) =>
      mayHear(about) && (about.app === undefined || inside?.has(about.app) !== false),
    sift(frame, wasMissed) {
      if (!mayHear(frame)) return undefined
      return frame.app === undefined ? frame : filtered(frame, frame.app, wasMissed)
    },
  }
}

function leftBy({ id, subject }: Frame, app: string): Frame {
  return { id, subject, app, bytes: bytesOf(id, 'left', { key: app }) }
}
