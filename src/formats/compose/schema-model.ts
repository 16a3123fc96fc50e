/** What a whole Compose file may hold. */
import { service } from './schema-service.ts'
import type { Rule } from './schema.ts'
import {
  closed,
  dictionary,
  driverOptions,
  external,
  flagOrText,
  listOf,
  looseDictionary,
  looseExternal,
  orNull,
  pairs,
  record,
  resourceName,
  text,
  textOrSet,
  texts,
} from './schema-words.ts'

function named(rule: Rule): Rule {
  return { map: { others: { like: resourceName, rule } } }
}

const network = orNull(
  record({
    attachable: flagOrText,
    driver: text,
    driver_opts: driverOptions,
    enable_ipv4: flagOrText,
    enable_ipv6: flagOrText,
    external,
    internal: flagOrText,
    ipam: record({
      config: listOf(
        record({ aux_addresses: dictionary(text), gateway: text, ip_range: text, subnet: text }),
      ),
      driver: text,
      options: dictionary(text),
    }),
    labels: pairs,
    name: text,
  }),
)

const volume = orNull(
  record({ driver: text, driver_opts: driverOptions, external, labels: pairs, name: text }),
)

const secret = record({
  driver: text,
  driver_opts: driverOptions,
  environment: text,
  external: looseExternal,
  file: text,
  labels: pairs,
  name: text,
  template_driver: text,
})

const config = record({
  content: text,
  environment: text,
  external: looseExternal,
  file: text,
  labels: pairs,
  name: text,
  template_driver: text,
})

const model = record(
  { context_size: { whole: {} }, model: text, name: text, runtime_flags: texts },
  { required: ['model'] },
)

const include = {
  ...text,
  ...closed({ env_file: textOrSet, path: textOrSet, project_directory: text }),
}

export const composeFile: Rule = record({
  configs: named(config),
  include: listOf(include),
  models: looseDictionary(resourceName, model),
  name: text,
  networks: looseDictionary(resourceName, network),
  secrets: named(secret),
  services: named(service),
  version: text,
  volumes: named(volume),
})
