/** Short words about what was pressed, gone by themselves unless they tell of trouble. */
import { signal } from '@preact/signals'
import { troubleIn } from '../api/request.ts'

export type Toast = {
  readonly id: number
  readonly tone: 'good' | 'bad' | 'info'
  readonly text: string
  readonly more?: string | undefined
}

const shownFor = 6000
let last = 0

export const toasts = signal<readonly Toast[]>([])

export function say(tone: Toast['tone'], text: string, more?: string): void {
  last += 1
  const id = last
  toasts.value = [...toasts.value.slice(-3), { id, tone, text, more }]
  if (tone !== 'bad') dismissSoon(id)
}

/** What somebody reads, or stands in with the keyboard, stays. */
function dismissSoon(id: number): void {
  setTimeout(() => {
    if (document.querySelector('.toast-area:is(:hover, :focus-within)') === null) dismiss(id)
    else dismissSoon(id)
  }, shownFor)
}

export function sayTrouble(thrown: unknown): void {
  const { detail, suggestion } = troubleIn(thrown)
  say('bad', detail, suggestion)
}

export function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id)
}
