/** Services that wait for each other: found in one walk over the graph. */
import { failure } from '../compose-error.ts'
import type { Project } from '../project.ts'
import type { PlaceOf } from '../load/locate.ts'
import { defined } from '#model/defined.ts'

export function checkCircles(project: Project, placeOf: PlaceOf): void {
  const done = new Set<string>()
  for (const name of Object.keys(project.services).toSorted()) walk(name, project, done, placeOf)
}

/** Not recursive: a chain of thousands of services must not exhaust the stack. */
function walk(start: string, project: Project, done: Set<string>, placeOf: PlaceOf): void {
  const way: { name: string; next: string[] }[] = [
    { name: start, next: dependencies(start, project) },
  ]
  const open = new Set([start])
  while (way.length > 0) {
    const top = defined(way.at(-1))
    const next = top.next.shift()
    if (next === undefined) {
      way.pop()
      open.delete(top.name)
      done.add(top.name)
    } else if (open.has(next)) {
      const names = way.map(({ name }) => name)
      const circle = [...names.slice(names.indexOf(next)), next].join(' → ')
      const place = placeOf(['services', top.name, 'depends_on', next])
      throw failure(place, `services depend on each other in a circle: ${circle}`)
    } else if (!done.has(next) && Object.hasOwn(project.services, next)) {
      open.add(next)
      way.push({ name: next, next: dependencies(next, project) })
    }
  }
}

function dependencies(name: string, project: Project): string[] {
  return Object.keys(project.services[name]?.depends_on ?? {}).toSorted()
}
