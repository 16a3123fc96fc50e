/** Parts of a service that have fields of their own. */
import { deviceForm } from '../canonical/mounts.ts'
import {
  bytes,
  duration,
  flag,
  healthTest,
  int,
  options,
  text,
  textSet,
  unsigned,
} from './leaves.ts'
import * as rule from './common-rules.ts'
import { always, given, listOf, short, struct, written, type Shape, type TypeOf } from './shape.ts'

/** `Path` and its like have a name only in YAML: the reference prints them as Go has them. */
const throttles = listOf(
  struct(
    { Path: always(text, 'path'), Rate: always(written(rule.wholeOrText, bytes), 'rate') },
    { isClosed: true },
  ),
)
const weights = listOf(
  struct({ Path: always(text, 'path'), Weight: always(unsigned, 'weight') }, { isClosed: true }),
)
export const blkio = struct(
  {
    weight: unsigned,
    weight_device: weights,
    device_read_bps: throttles,
    device_read_iops: throttles,
    device_write_bps: throttles,
    device_write_iops: throttles,
  },
  { isClosed: true },
)

const conditions = rule.oneOf(
  'service_started',
  'service_healthy',
  'service_completed_successfully',
)
export const dependency = struct(
  {
    condition: written(conditions, text),
    restart: flag,
    required: always(written(rule.flag, flag)),
  },
  { required: ['condition'] },
)

export const device = short(
  rule.text,
  deviceForm,
  struct({ source: text, target: text, permissions: text }, { required: ['source'] }),
)

const fullEnvFile = struct(
  { path: text, required: given(flag), format: text },
  { isClosed: true, required: ['path'] },
)

/** A required file is written as its path alone. */
export const envFile: Shape<TypeOf<typeof fullEnvFile>> = {
  ...written({ ...rule.text, ...fullEnvFile.rule }, fullEnvFile),
  write: (value) =>
    value.required === true ? text.write(value.path ?? '') : fullEnvFile.write(value),
}

export const healthcheck = struct({
  test: healthTest,
  timeout: given(duration),
  interval: given(duration),
  retries: given(written(rule.numberOrText, unsigned)),
  start_period: given(duration),
  start_interval: given(duration),
  disable: flag,
})

const priority = written({ number: {} }, int)

/** How a service is on a network. */
export const attachment = struct({
  aliases: textSet,
  driver_opts: options,
  gw_priority: priority,
  interface_name: text,
  ipv4_address: text,
  ipv6_address: text,
  link_local_ips: textSet,
  mac_address: text,
  priority,
})
