/** A run as it happens, a line for each thing that begins, ends or fails: for logs and pipes, where nothing can be drawn over. */
import type { Event } from '#model/event.ts'
import type { Ref } from '#model/ref.ts'

/** What is only written down is no news. */
const silent = new Set(['stand', 'note', 'mark-gone'])

export function progressLines(): (event: Event) => string | undefined {
  const told = new Set<Ref>()
  return (event) => {
    if (event.type === 'operation') {
      if (silent.has(event.id)) return undefined
      if (event.phase === 'began' && event.attempt === 1) {
        told.add(event.ref)
        return `${event.ref}: ${event.words}`
      }
      if (event.phase !== 'again') return undefined
      const seconds = Math.round((event.delay ?? 0) / 1000)
      return `${event.ref}: ${event.problem?.message ?? 'it failed'}; tried again in ${seconds} s`
    }
    if (event.type !== 'group' || !told.has(event.ref)) return undefined
    switch (event.phase) {
      case 'waiting':
        return `${event.ref}: waiting until it is ready`
      case 'done':
        told.delete(event.ref)
        return `${event.ref}: done${lasted(event.milliseconds)}`
      case 'failed':
        told.delete(event.ref)
        return `${event.ref}: failed, ${event.problem?.message ?? 'nobody knows why'}`
      default:
        return undefined
    }
  }
}

function lasted(milliseconds: number | undefined): string {
  return milliseconds === undefined ? '' : ` in ${(milliseconds / 1000).toFixed(1)} s`
}
