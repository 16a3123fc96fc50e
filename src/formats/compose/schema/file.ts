/** What a whole Compose file may hold, section by section. */
import { externalForm } from '../canonical/canonical-forms.ts'
import type { JsonObject } from '../yaml/node.ts'
import { flag, int, options, pairs, text, texts } from './leaves.ts'
import * as rule from './common-rules.ts'
import { service } from './service.ts'
import {
  always,
  given,
  listOf,
  mapOf,
  orNull,
  since5,
  struct,
  written,
  type Shape,
  type TypeOf,
} from './shape.ts'

const external = written(rule.external, flag)
const looseExternal = written(rule.looseExternal, flag)

const pool = struct({
  subnet: text,
  gateway: text,
  ip_range: text,
  aux_addresses: written(rule.dictionary(rule.text), pairs),
})

const network = struct({
  name: text,
  driver: text,
  driver_opts: options,
  ipam: always(
    struct({
      driver: text,
      config: listOf(pool),
      options: since5(written(rule.dictionary(rule.text), options)),
    }),
  ),
  external,
  internal: flag,
  attachable: flag,
  labels: pairs,
  enable_ipv4: given(flag),
  enable_ipv6: given(flag),
})

const volume = struct({
  name: text,
  driver: text,
  driver_opts: options,
  external,
  labels: pairs,
})

/** Configs and secrets. */
function fileObjectWithout(...except: readonly string[]) {
  const fields = {
    name: text,
    file: text,
    environment: text,
    content: text,
    external: looseExternal,
    labels: pairs,
    driver: text,
    driver_opts: written(rule.driverOptions, mapOf(text, /./)),
    template_driver: text,
  }
  return { ...struct(fields, { except }), form: externalForm }
}

const model = struct(
  { name: text, model: text, context_size: written({ whole: {} }, int), runtime_flags: texts },
  { required: ['model'] },
)

const name = rule.resourceName

export const sections = {
  services: mapOf(service, name),
  networks: mapOf({ ...orNull(network), form: externalForm }, name, 'open'),
  volumes: mapOf({ ...orNull(volume), form: externalForm }, name),
  secrets: mapOf(fileObjectWithout('content'), name),
  configs: mapOf(fileObjectWithout('driver', 'driver_opts'), name),
  models: mapOf(model, name, 'open'),
}

const include = {
  ...rule.text,
  ...rule.closed({
    env_file: rule.textOrSet,
    path: rule.textOrSet,
    project_directory: rule.text,
  }),
}

export const composeFile = struct({
  ...sections,
  include: { unread: rule.listOf(include) },
  name: text,
  version: { unread: rule.text },
})

type Item<S extends Shape<JsonObject>> = TypeOf<S>[string]
export type Service = Item<typeof sections.services>
export type Mount = NonNullable<Service['volumes']>[number]
export type FileMount = NonNullable<Service['configs']>[number]
export type Network = Item<typeof sections.networks>
export type Volume = Item<typeof sections.volumes>
/** A config or a secret. */
export type FileObject = Item<typeof sections.configs>
export type Model = Item<typeof sections.models>
