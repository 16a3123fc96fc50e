/** What goes on right now, for a terminal: one line for each step that takes long, redrawn all the time. */
import type { Event } from '#model/event.ts'
import { nameOf, type Ref } from '#model/ref.ts'
import { harmless, type Paint } from './paint.ts'
import { nameWidth } from './layout.ts'
import { defined } from '#model/defined.ts'

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
/** Steps that are shorter than this, ms, are not shown: they would only flicker. */
const patience = 300
const most = 8

export type Progress = {
  on(event: Event): void
  lines(now: number, width: number): readonly string[]
}

export function progressOf(paint: Paint): Progress {
  const running = new Map<Ref, { since: number; text: string }>()

  function tell(ref: Ref, at: number, text: string): void {
    running.set(ref, { since: running.get(ref)?.since ?? at, text })
  }

  function on(event: Event): void {
    switch (event.type) {
      case 'progress':
        return tell(event.ref, event.at, event.text)
      case 'operation':
        if (event.phase === 'began') tell(event.ref, event.at, lower(event.words))
        if (event.phase === 'again')
          tell(event.ref, event.at, `trying again: ${event.problem?.message ?? ''}`)
        return
      case 'group':
        if (event.phase === 'waiting')
          return tell(event.ref, event.at, 'waiting until it is healthy')
        if (event.phase !== 'began') running.delete(event.ref)
        return
      case 'ended':
        return running.clear()
      case 'started':
      case 'opened':
      case 'held':
      case 'warning':
      case 'rendered':
      case 'problem':
      case 'planned':
        return
    }
  }

  function lines(now: number, width: number): readonly string[] {
    const long = [...running].filter(([, { since }]) => now - since >= patience)
    const shown = long.slice(0, most)
    const column = nameWidth(shown.map(([ref]) => ref))
    const frame = defined(frames[Math.floor(now / 100) % frames.length])
    const rows = shown.map(([ref, { since, text }]) => {
      const seconds = `${Math.floor((now - since) / 1000)}s`
      const row = `${nameOf(ref).padEnd(column)}${harmless(text).split('\n')[0]} (${seconds})`
      return `  ${paint('blue', frame)} ${row.slice(0, Math.max(0, width - 5))}`
    })
    return long.length > most ? [...rows, `    and ${long.length - most} more`] : rows
  }

  return { on, lines }
}

/** "Creating container web" → "creating container web" */
function lower(words: string): string {
  return words.slice(0, 1).toLowerCase() + words.slice(1)
}
