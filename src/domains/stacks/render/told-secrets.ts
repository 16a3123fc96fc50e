/** Values of variables that look secret, wherever the files put them: they are sealed there as in `environment`. */
import { kindOf } from '#model/ref.ts'
import type { Resource } from '#model/resource.ts'
import { hasSecretShape, holdsSecret } from '#model/secret-shapes.ts'
import { textPrefix, withTextsSealed, type TextPlaces } from '#domains/containers/sealed-text.ts'
import type { Finding } from './finding.ts'
import { seal, servicesOf, type Stage } from './stage.ts'

/** Parts of a spec that are texts for others, and decide nothing here. */
const places: Readonly<Record<string, TextPlaces>> = {
  container: [
    ['build', 'definition'],
    ['service', 'annotations'],
    ['service', 'command'],
    ['service', 'dns_opt'],
    ['service', 'dns_search'],
    ['service', 'domainname'],
    ['service', 'entrypoint'],
    ['service', 'environment'],
    ['service', 'extra_hosts'],
    ['service', 'healthcheck', 'test'],
    ['service', 'hostname'],
    ['service', 'labels'],
    ['service', 'logging', 'options'],
    ['service', 'post_start'],
    ['service', 'pre_stop'],
    ['service', 'storage_opt'],
    ['service', 'sysctls'],
    ['service', 'tmpfs'],
    ['service', 'user'],
    ['service', 'working_dir'],
  ],
  volume: [['options'], ['labels']],
  network: [['labels']],
}

export function withSecretsSealed(stage: Stage, resource: Resource): Resource {
  const has = secretIn(stage)
  const { ref } = resource
  const spec = withTextsSealed(resource.spec, places[kindOf(ref)] ?? [], has, (place, text) =>
    seal(stage, `${textPrefix}${ref}.${place}`, Buffer.from(text)),
  )
  return { ...resource, spec }
}

/** Whether a text has the value of such a variable in it, or is a secret by its shape. */
function secretIn({ loaded }: Stage): (text: string) => boolean {
  return (text) => holdsSecret(text, loaded.secrets) || hasSecretShape(text)
}

/** What decides something can't be sealed: there a secret is shown, which whoever wrote it should know. */
export function shownFindings(stage: Stage): readonly Finding[] {
  return servicesOf(stage).flatMap(([name, service]) =>
    (['image', 'container_name', 'platform'] as const).flatMap((field) => {
      const text = service[field]
      if (text === undefined || !holdsSecret(text, stage.loaded.secrets)) return []
      const path = ['services', name, field]
      const message = `${field} has the value of a variable in it that looks secret, and is shown; take it out, or let the operator list the variable in harmlessVariables`
      return [{ path, isError: false, code: 'unsupported', message } as const]
    }),
  )
}

/** What is run before a container ends comes from the record on it, and that holds no secrets. */
export function unkeptFindings(stage: Stage): readonly Finding[] {
  const has = secretIn(stage)
  return servicesOf(stage).flatMap(([name, { pre_stop: hooks }]) => {
    if (hooks === undefined || !has(JSON.stringify(hooks))) return []
    const path = ['services', name, 'pre_stop']
    const message =
      'pre_stop has the value of a secret in it, which is not kept on the container, and is not run; give the variable in environment, and write $$NAME here'
    return [{ path, isError: false, code: 'unsupported', message }]
  })
}
