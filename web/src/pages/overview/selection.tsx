/** Several applications at once: which are chosen, and what can be done with all of them. */
import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { api } from '../../api/client.ts'
import { Icon } from '../../parts/icon.tsx'
import { act } from '../../state/act.ts'
import { go } from '../../state/address.ts'
import { focusOn } from '../../state/focus.ts'
import { planLink } from '../../state/links.ts'
import { mayChange } from '../../state/session.ts'
import { sayTrouble } from '../../state/toasts.ts'
import { RollbackDialog } from '../plan/rollback-dialog.tsx'
import { SyncDialog } from '../plan/sync-dialog.tsx'

export const selected = signal<ReadonlySet<string>>(new Set())

export function SelectBox({ appKey }: { readonly appKey: string }) {
  return (
    <input
      type="checkbox"
      class="select-box"
      aria-label={`Select ${appKey}`}
      checked={selected.value.has(appKey)}
      onChange={({ currentTarget }) => choose(appKey, currentTarget.checked)}
    />
  )
}

function choose(key: string, isChosen: boolean): void {
  const chosen = new Set(selected.value)
  if (isChosen) chosen.add(key)
  else chosen.delete(key)
  selected.value = chosen
}

export function SelectionBar() {
  const [open, setOpen] = useState<'sync' | 'rollback'>()
  const keys = [...selected.value]
  if (keys.length === 0) return null
  // the bar goes: whoever stood in it goes on at what was chosen last
  function clear(): void {
    const boxes = [...document.querySelectorAll('.select-box:checked')]
    if (document.activeElement?.closest('.selection-bar') !== null) focusOn(boxes.at(-1))
    selected.value = new Set()
  }
  async function press(action: string): Promise<void> {
    if (await act(keys, action)) clear()
  }
  function plan(): void {
    api.makePlan(keys, { fresh: mayChange.value }).then(({ id }) => go(planLink(id)), sayTrouble)
  }
  return (
    <div class="selection-bar panel" role="region" aria-label="Selected applications">
      <strong>{keys.length} selected</strong>
      <button type="button" class="button" onClick={plan}>
        Plan
      </button>
      {mayChange.value && (
        <>
          <button type="button" class="button" onClick={() => setOpen('sync')}>
            <Icon name="sync" />
            Sync
          </button>
          <button type="button" class="button" onClick={() => void press('suspend')}>
            <Icon name="pause" />
            Suspend
          </button>
          <button type="button" class="button" onClick={() => void press('resume')}>
            <Icon name="play" />
            Resume
          </button>
          <button type="button" class="button" onClick={() => void press('acknowledge')}>
            <Icon name="hand" />
            Acknowledge
          </button>
          <button type="button" class="button" onClick={() => setOpen('rollback')}>
            <Icon name="back" />
            Roll back
          </button>
        </>
      )}
      <button type="button" class="button plain" onClick={clear}>
        Clear
      </button>
      {open === 'rollback' && <RollbackDialog keys={keys} close={() => setOpen(undefined)} />}
      {open === 'sync' && (
        <SyncDialog
          keys={keys}
          close={() => setOpen(undefined)}
          done={() => {
            setOpen(undefined)
            clear()
          }}
        />
      )}
    </div>
  )
}
