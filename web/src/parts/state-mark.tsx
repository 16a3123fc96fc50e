/** The two answers as marks: sync and health, each with its word and its reason. */
import type { HealthState, SyncState } from '#model/assessment.ts'
import type { Outcome } from '#model/event.ts'
import { healthLooks, outcomeLooks, syncLooks, type Look } from '../state/tones.ts'
import { Icon, type IconName } from './icon.tsx'

type Props = { readonly reason?: string | undefined; readonly isPill?: boolean }

export function SyncMark({
  state,
  isBehind = false,
  ...more
}: Props & { readonly state: SyncState; readonly isBehind?: boolean | undefined }) {
  return (
    <Mark look={syncLooks[isBehind ? 'behind' : state]} spins={state === 'syncing'} {...more} />
  )
}

export function HealthMark({ state, ...more }: Props & { readonly state: HealthState }) {
  return <Mark look={healthLooks[state]} spins={state === 'progressing'} {...more} />
}

/** Without an outcome it goes on, or was killed. */
export function OutcomeMark({
  outcome,
  isGoingOn,
}: {
  readonly outcome: Outcome | undefined
  readonly isGoingOn: boolean
}) {
  if (outcome !== undefined) return <Mark look={outcomeLooks[outcome]} isPill />
  const look = isGoingOn
    ? ({ tone: 'info', icon: 'sync', word: 'Running' } as const)
    : ({ tone: 'warn', icon: 'warning', word: 'Cut off' } as const)
  return <Mark look={look} spins={isGoingOn} isPill />
}

function Mark({
  look: { tone, icon, word },
  reason,
  isPill = false,
  spins = false,
}: Props & { readonly look: Look<IconName>; readonly spins?: boolean }) {
  const title = reason === undefined || reason === '' ? undefined : reason
  return (
    <span class={`${isPill ? 'pill' : 'state'} tone-${tone}`} title={title}>
      <Icon name={icon} spins={spins} />
      {word}
    </span>
  )
}
