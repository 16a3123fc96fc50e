/** The shape of `deploy`, and of the requests for devices that `gpus` shares with it. */
import {
  bytes,
  deviceCount,
  duration,
  int,
  pairs,
  single,
  text,
  texts,
  unsigned,
} from './shape-leaves.ts'
import { always, given, listOf, struct } from './shape.ts'

export const deviceRequest = struct({
  capabilities: texts,
  driver: text,
  count: deviceCount,
  device_ids: texts,
  options: pairs,
})

const updates = struct({
  parallelism: given(unsigned),
  delay: duration,
  failure_action: text,
  monitor: duration,
  max_failure_ratio: single,
  order: text,
})

const resource = struct({
  cpus: single,
  memory: bytes,
  pids: int,
  devices: listOf(deviceRequest),
  generic_resources: listOf(
    struct({
      discrete_resource_spec: given(struct({ kind: always(text), value: always(int) })),
    }),
  ),
})

export const deploy = struct({
  mode: text,
  replicas: given(int),
  labels: pairs,
  update_config: given(updates),
  rollback_config: given(updates),
  resources: always(struct({ limits: given(resource), reservations: given(resource) })),
  restart_policy: given(
    struct({
      condition: text,
      delay: given(duration),
      max_attempts: given(unsigned),
      window: given(duration),
    }),
  ),
  placement: always(
    struct({
      constraints: texts,
      preferences: listOf(struct({ spread: text })),
      max_replicas_per_node: unsigned,
    }),
  ),
  endpoint_mode: text,
})
