/** The resolved project as JSON in the order of the reference: fields of structures as it declares them, keys of mappings by their bytes. */
import type { Json, JsonObject } from '../yaml/node.ts'
import type { Project } from '../project.ts'
import { sections } from '../schema/file.ts'

/** All but the services is left out where it is empty; extensions are the caller's to order. */
export function orderedSections(project: Project): JsonObject {
  const { services, networks, volumes, secrets, configs, models } = project
  const others = [
    ['networks', networks, sections.networks.write(networks)],
    ['volumes', volumes, sections.volumes.write(volumes)],
    ['secrets', secrets, sections.secrets.write(secrets)],
    ['configs', configs, sections.configs.write(configs)],
    ['models', models, sections.models.write(models)],
  ] as const
  const filled = others.flatMap(([key, section, text]): [string, Json][] =>
    Object.keys(section).length === 0 ? [] : [[key, JSON.parse(text)]],
  )
  return { services: JSON.parse(sections.services.write(services)), ...Object.fromEntries(filled) }
}
