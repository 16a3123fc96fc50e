/** Puts a text on the clipboard, and says so. */
import { useState } from 'preact/hooks'
import { sayTrouble } from '../state/toasts.ts'
import { Icon } from './icon.tsx'

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [isDone, setDone] = useState(false)
  function copy(): void {
    navigator.clipboard.writeText(text).then(() => {
      setDone(true)
      setTimeout(() => setDone(false), 2000)
    }, sayTrouble)
  }
  return (
    <button type="button" class="button" onClick={copy}>
      <Icon name={isDone ? 'check' : 'copy'} />
      {isDone ? 'Copied' : label}
    </button>
  )
}
