/** What can't be undone: the name has to be typed before the button works. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Icon } from './icon.tsx'

export function TypedName({
  name,
  word,
  go,
  leave,
  children,
}: {
  readonly name: string
  /** On the button. */
  readonly word: string
  readonly go: () => Promise<void>
  readonly leave: () => void
  readonly children?: ComponentChildren
}) {
  const [typed, setTyped] = useState('')
  const [isBusy, setBusy] = useState(false)
  const isOpen = typed === name
  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    // not by shutting the button: one that is shut loses the focus
    if (!isOpen || isBusy) return
    setBusy(true)
    await go().finally(() => setBusy(false))
  }
  return (
    <form class="row-form" onSubmit={(event) => void submit(event)}>
      <label class="labelled">
        Type {name} to go on
        <input
          class="field"
          value={typed}
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </label>
      {children}
      <div class="dialog-foot">
        <button type="button" class="button" onClick={leave}>
          Leave it
        </button>
        <button type="submit" class="button danger" disabled={!isOpen}>
          <Icon name="trash" />
          {word}
        </button>
      </div>
    </form>
  )
}
