/** Two services cannot give their containers the same name. */
import { problemAt, throwIfAny, type ComposeProblem } from '../compose-error.ts'
import type { PlaceOf } from '../load/locate.ts'
import type { Project } from '../project.ts'

export function uniqueContainerNames(project: Project, placeOf: PlaceOf): void {
  const owners = new Map<string, string>()
  const problems: ComposeProblem[] = []
  for (const [service, { container_name: name = '' }] of Object.entries(project.services)) {
    if (name === '') continue
    const owner = owners.get(name)
    if (owner === undefined) owners.set(name, service)
    else {
      const place = placeOf(['services', service, 'container_name'])
      problems.push(
        problemAt(
          place,
          `services.${service}: the container name "${name}" belongs to services.${owner} already`,
        ),
      )
    }
  }
  throwIfAny(problems)
}
