/** What `deploy` may hold, and the requests for devices that `gpus` shares with it. */
import type { MapRule } from './schema.ts'
import {
  listOf,
  numberOrText,
  oneOf,
  orNull,
  pairs,
  record,
  text,
  texts,
  textSet,
  wholeOrText,
} from './schema-words.ts'

export const deviceRequests: { readonly map: MapRule } = {
  map: {
    keys: {
      capabilities: textSet,
      count: wholeOrText,
      device_ids: textSet,
      driver: text,
      options: pairs,
    },
    required: ['capabilities'],
    hasExtensions: true,
  },
}

const updates = record({
  delay: text,
  failure_action: text,
  max_failure_ratio: numberOrText,
  monitor: text,
  order: oneOf('start-first', 'stop-first'),
  parallelism: wholeOrText,
})

const genericResources = listOf(
  record({ discrete_resource_spec: record({ kind: text, value: numberOrText }) }),
)

export const deploy = orNull(
  record({
    endpoint_mode: text,
    labels: pairs,
    mode: text,
    placement: record({
      constraints: texts,
      max_replicas_per_node: wholeOrText,
      preferences: listOf(record({ spread: text })),
    }),
    replicas: wholeOrText,
    resources: record({
      limits: record({ cpus: numberOrText, memory: text, pids: wholeOrText }),
      reservations: record({
        cpus: numberOrText,
        devices: listOf(deviceRequests),
        generic_resources: genericResources,
        memory: text,
      }),
    }),
    restart_policy: record({
      condition: text,
      delay: text,
      max_attempts: wholeOrText,
      window: text,
    }),
    rollback_config: updates,
    update_config: updates,
  }),
)
