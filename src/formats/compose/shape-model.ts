/** The shapes of everything beside services. */
import { flag, int, options, pairs, text, texts } from './shape-leaves.ts'
import { since5, always, given, listOf, mapOf, struct } from './shape.ts'

const pool = struct({ subnet: text, gateway: text, ip_range: text, aux_addresses: pairs })

export const networks = mapOf(
  struct({
    name: text,
    driver: text,
    driver_opts: options,
    ipam: always(struct({ driver: text, config: listOf(pool), options: since5(options) })),
    external: flag,
    internal: flag,
    attachable: flag,
    labels: pairs,
    enable_ipv4: given(flag),
    enable_ipv6: given(flag),
  }),
)

export const volumes = mapOf(
  struct({ name: text, driver: text, driver_opts: options, external: flag, labels: pairs }),
)

/** Configs and secrets. */
export const fileObjects = mapOf(
  struct({
    name: text,
    file: text,
    environment: text,
    content: text,
    external: flag,
    labels: pairs,
    driver: text,
    driver_opts: mapOf(text),
    template_driver: text,
  }),
)

export const models = mapOf(
  struct({ name: text, model: text, context_size: int, runtime_flags: texts }),
)
