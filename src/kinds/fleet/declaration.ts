/** How fleets are written in tend.yaml: each with its table under `fleets`, or from a source under `apps`. */
import { resolve } from 'node:path'
import * as z from 'zod/mini'
import { bad, rule } from '#formats/schema/rule.ts'
import { filled } from '#formats/schema/terms.ts'
import type { AppPolicy, Declared } from '#model/declaration.ts'
import type { KindDeclaration, Values } from '#model/kind-declaration.ts'
import { usualPolicy } from '#model/usual-policy.ts'
import { duration, durationOf } from '../duration.ts'
import { targetOf } from './fleet-address.ts'

export const usualInterval = 15 * 60_000
const usualTimeout = 10 * 60_000
const fleetName = /^[a-z0-9]([a-z0-9-]{0,40}[a-z0-9])?$/

const names: KindDeclaration['names'] = {
  pattern: fleetName.source,
  description: 'A fleet, by the name that its fleet.yaml has',
  fault(name) {
    if (fleetName.test(name)) return undefined
    return {
      message: `${JSON.stringify(name)} is not a name`,
      suggestion: 'use small letters, digits and "-"',
    }
  },
}

const entry = z.strictObject({
  fleet: z.string().check(
    z.meta({ pattern: fleetName.source, description: 'Its name, as its fleet.yaml has it' }),
    rule((value) => {
      const fault = names.fault(value)
      return fault && bad(fault.message, fault.suggestion)
    }),
  ),
  database: z.optional(filled.check(z.describe("Its table. Default: fleet.db in Tend's home"))),
  config: z.optional(filled.check(z.describe('Default: the fleet.yaml beside its table'))),
  interval: z.optional(
    duration(1_000).check(
      z.describe('How often its rows and clusters are looked at. Default: 15m'),
    ),
  ),
  timeout: z.optional(
    duration(1_000).check(z.describe('How long a cluster may take. Default: 10m')),
  ),
  recreate: z.optional(
    z.boolean().check(z.describe('Clusters that no longer match their row are made anew')),
  ),
  suspended: z.optional(z.boolean().check(z.describe('Only when it is asked for'))),
})

export const fleetDeclaration: KindDeclaration = {
  kind: 'fleet',
  names,
  fields: [],
  namespace: null,
  hasTextValues: false,
  usualTimeout,
  placed(values, folder) {
    const place = (key: string): string | undefined => {
      const path = values[key]
      return typeof path === 'string' && path !== '' ? resolve(folder, path) : undefined
    }
    const target = targetOf({ database: place('database'), config: place('config') })
    return { values: valuesOf(values['recreate'] === true), ...(target === '' ? {} : { target }) }
  },
  policyFrom: (_values, policy) => ofClusters(policy),
  section: {
    name: 'fleets',
    description: 'Fleets of clusters, each with its table',
    entry,
    declared: declaredBy,
  },
}

function valuesOf(recreate: boolean): Values {
  return recreate ? { recreate } : {}
}

/** Paths are relative to the folder of the file that they stand in. */
function declaredBy(written: unknown, folder: string): Omit<Declared, 'at'> {
  const data = entry.parse(written)
  const place = (path: string | undefined): string | undefined =>
    path === undefined ? undefined : resolve(folder, path)
  const target = targetOf({ database: place(data.database), config: place(data.config) })
  const policy = ofClusters({
    ...usualPolicy,
    interval: durationOf(data.interval ?? '') ?? usualInterval,
    timeout: durationOf(data.timeout ?? '') ?? usualTimeout,
    suspended: data.suspended ?? false,
  })
  return {
    application: { kind: 'fleet', namespace: null, name: data.fleet },
    source: { kind: 'table', of: 'fleet', path: target },
    path: '',
    files: [],
    profiles: [],
    values: valuesOf(data.recreate ?? false),
    target: target === '' ? undefined : target,
    policy,
  }
}

/**
 * A fleet that is no longer declared keeps its clusters, and there is no earlier state to go back to. What failed is tried again
 * for as long as rows declare it.
 */
function ofClusters(policy: AppPolicy): AppPolicy {
  const retryInterval = policy.interval > 0 ? policy.interval : usualInterval
  return { ...policy, prune: false, rollback: 'never', retryInterval }
}
