/** The time, as often as relative times need it. */
import { signal } from '@preact/signals'

export const now = signal(Date.now())

if (typeof document !== 'undefined') setInterval(() => (now.value = Date.now()), 5000)
