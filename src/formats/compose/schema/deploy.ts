/** `deploy`, and the requests for devices that `gpus` shares with it. */
import {
  bytes,
  deviceCount,
  duration,
  int,
  pairs,
  single,
  text,
  texts,
  textSet,
  unsigned,
} from './leaves.ts'
import * as rule from './common-rules.ts'
import { always, given, listOf, orNull, struct, written, type StructRule } from './shape.ts'

function deviceRequestWith(more: StructRule) {
  const fields = {
    capabilities: textSet,
    driver: text,
    count: deviceCount,
    device_ids: textSet,
    options: pairs,
  }
  return struct(fields, more)
}

/** In `gpus` any key goes, and none must be there. */
export const gpu = deviceRequestWith({ isOpen: true, required: [] })

const updates = struct({
  parallelism: given(unsigned),
  delay: duration,
  failure_action: text,
  monitor: duration,
  max_failure_ratio: single,
  order: written(rule.oneOf('start-first', 'stop-first'), text),
})

const genericResource = struct({
  discrete_resource_spec: given(struct({ kind: always(text), value: always(int) })),
})

function resourceWithout(...except: readonly string[]) {
  const fields = {
    cpus: single,
    memory: written(rule.text, bytes),
    pids: written(rule.wholeOrText, int),
    devices: listOf(deviceRequestWith({ required: ['capabilities'] })),
    generic_resources: listOf(genericResource),
  }
  return struct(fields, { except })
}

const resources = struct({
  limits: given(resourceWithout('devices', 'generic_resources')),
  reservations: given(resourceWithout('pids')),
})

const restartPolicy = struct({
  condition: text,
  delay: given(duration),
  max_attempts: given(unsigned),
  window: given(duration),
})

const placement = struct({
  constraints: texts,
  preferences: listOf(struct({ spread: text })),
  max_replicas_per_node: unsigned,
})

export const deploy = orNull(
  struct({
    mode: text,
    replicas: given(written(rule.wholeOrText, int)),
    labels: pairs,
    update_config: given(updates),
    rollback_config: given(updates),
    resources: always(resources),
    restart_policy: given(restartPolicy),
    placement: always(placement),
    endpoint_mode: text,
  }),
)
