/** The part of a service that is taken as the user wrote it. */
import { looksSecret } from '#model/looks-secret.ts'
import { recordOf } from '#clients/http/read.ts'
import type { Json, JsonRecord } from '#model/json.ts'
import type { Value } from '#model/value.ts'
import { securityOptionsOf } from './security.ts'
import { filled, seal, type Stage } from './stage.ts'

/** What has a field of its own in the spec, says when or how many, or is spent when the model is made. */
const elsewhere = new Set([
  'attach',
  'build',
  'configs',
  'container_name',
  'depends_on',
  'deploy',
  'develop',
  'env_file',
  'environment',
  'extends',
  'image',
  'label_file',
  'links',
  'networks',
  'profiles',
  'pull_policy',
  'scale',
  'secrets',
  'security_opt',
  'volumes',
  'volumes_from',
])

export function wordsOf(
  stage: Stage,
  name: string,
  service: JsonRecord,
): { readonly [key: string]: Value } {
  const kept = Object.entries(service).filter(
    ([key, value]) => !elsewhere.has(key) && !key.startsWith('x-') && value !== null,
  )
  const { resources, restart_policy: restart } = recordOf(service['deploy'])
  const deploy = filled({ resources: resources ?? {}, restart_policy: restart ?? {} })
  return {
    ...Object.fromEntries(kept),
    ...filled({
      deploy,
      environment: environmentOf(stage, name, service),
      security_opt: securityOptionsOf(stage, service),
    }),
  }
}

/** A variable without a value is one that nobody set: it is left out, as Compose does. */
function environmentOf(
  stage: Stage,
  name: string,
  service: JsonRecord,
): { readonly [key: string]: Value } {
  const variables = Object.entries(recordOf(service['environment']))
  const given = variables.filter(
    (entry): entry is [string, Exclude<Json, null>] => entry[1] !== null,
  )
  return Object.fromEntries(
    given.map(([key, value]): [string, Value] => {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      if (!looksSecret(key, text)) return [key, text]
      return [key, seal(stage, `services.${name}.environment.${key}`, Buffer.from(text))]
    }),
  )
}
