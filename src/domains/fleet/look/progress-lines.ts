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
    if (event.phase === 'waiting') return `${event.ref}: waiting until it is ready`
    // what was made is done when it is ready, however long the others take; what is removed, when it is gone
    const isDone = event.phase === 'passed' || event.phase === 'done'
    if (!isDone && event.phase !== 'failed') return undefined
    told.delete(event.ref)
    if (isDone) return `${event.ref}: done${lasted(event.milliseconds)}`
    return `${event.ref}: failed, ${event.problem?.message ?? 'nobody knows why'}`
  }
}

function lasted(milliseconds: number | undefined): string {
  return milliseconds === undefined ? '' : ` in ${(milliseconds / 1000).toFixed(1)} s`
}
