/** What can be pressed, by role; what can't be used now says why. */
import { useState } from 'preact/hooks'
import type { Actions, AppDetail } from '#model/api.ts'
import { api } from '../../api/client.ts'
import { Icon, type IconName } from '../../parts/icon.tsx'
import { Menu } from '../../parts/menu.tsx'
import { act } from '../../state/act.ts'
import { mayChange } from '../../state/session.ts'
import { say, sayTrouble } from '../../state/toasts.ts'
import { RollbackDialog } from '../plan/rollback-dialog.tsx'
import { SyncDialog } from '../plan/sync-dialog.tsx'
import { PruneDialog } from './prune-dialog.tsx'

type ActionName = keyof Actions

export function ActionBar({ app }: { readonly app: AppDetail }) {
  const [open, setOpen] = useState<'sync' | 'rollback' | 'prune' | 'adopt'>()
  const { key, actions, isSuspended, isUndeclared = false, needsAcknowledgement } = app
  if (!mayChange.value) {
    return (
      <span class="pill" title="Your role may look, and change nothing">
        <Icon name="lock" />
        Read only
      </span>
    )
  }
  const close = () => setOpen(undefined)
  const press = (action: ActionName) => () => void act([key], action)
  /** What is absent this application does not have. */
  function button(
    action: ActionName,
    word: string,
    icon: IconName,
    on: () => void = press(action),
  ) {
    const refusal = actions[action]
    if (refusal === undefined) return null
    return (
      <ActionButton
        key={action}
        word={word}
        icon={icon}
        refusal={refusal ?? undefined}
        press={on}
        isPrimary={action === 'sync'}
      />
    )
  }
  return (
    <>
      <div class="actions" role="group" aria-label="Actions">
        {isUndeclared && button('forget', 'Forget', 'cross')}
        {needsAcknowledgement && button('acknowledge', 'Acknowledge', 'hand')}
        {isSuspended ? button('resume', 'Resume', 'play') : button('suspend', 'Suspend', 'pause')}
        <button
          type="button"
          class="button"
          title="Asks its source now"
          onClick={() => void refreshSource(app)}
        >
          <Icon name="source" />
          Refresh
        </button>
        {button('rollback', 'Roll back', 'back', () => setOpen('rollback'))}
        <Menu word="More" label="More actions">
          {button('restart', 'Restart', 'spinner')}
          {button('adopt', 'Adopt', 'plus', () => setOpen('adopt'))}
          {button('prune', 'Prune', 'trash', () => setOpen('prune'))}
          {!isUndeclared && button('forget', 'Forget', 'cross')}
        </Menu>
        {button('sync', 'Sync', 'sync', () => setOpen('sync'))}
      </div>
      {open === 'sync' && <SyncDialog keys={[key]} close={close} />}
      {open === 'adopt' && <SyncDialog keys={[key]} adopts close={close} />}
      {open === 'rollback' && <RollbackDialog keys={[key]} close={close} />}
      {open === 'prune' && <PruneDialog app={app} close={close} />}
    </>
  )
}

function ActionButton({
  word,
  icon,
  refusal,
  press,
  isPrimary,
}: {
  readonly word: string
  readonly icon: IconName
  readonly refusal: string | undefined
  readonly press: () => void
  readonly isPrimary: boolean
}) {
  return (
    <button
      type="button"
      class={isPrimary ? 'button primary' : 'button'}
      aria-disabled={refusal !== undefined}
      title={refusal}
      onClick={() => (refusal === undefined ? press() : say('info', `${word}: ${refusal}`))}
    >
      <Icon name={icon} />
      {word}
    </button>
  )
}

/** The source that this application comes from, and no other. */
async function refreshSource({ source }: AppDetail): Promise<void> {
  try {
    const own = (await api.sources()).find(
      ({ shown, ref }) => shown === source.shown && ref === source.ref,
    )
    if (own === undefined) await api.refreshAll()
    else await api.refreshSource(own.id)
    say('good', `Asked ${source.shown}`)
  } catch (thrown) {
    sayTrouble(thrown)
  }
}
