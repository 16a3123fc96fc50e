/** From a declared secret to its spec; the values go to the vault, the spec holds their ids. */
import { Problem } from '#model/problem.ts'
import type { ChartContext } from './chart-context.ts'
import { compact } from './compact.ts'
import type { Declaration } from './declaration.ts'
import { bad, type Fault } from '#formats/schema/rule.ts'
import type { SecretSpec } from '../spec.ts'

const sources = ['data', 'stringData', 'files', 'environment'] as const

/** What Podman takes: more than nothing, less than this. */
const maxBytes = 512_000

/** All keys that a secret declares, whichever way, in order. */
export function keysOf(secret: Declaration<'secret'>): readonly string[] {
  const keys = sources.flatMap((source) => Object.keys(secret.data[source] ?? {}))
  return [...new Set(keys)].toSorted()
}

export function secretSpec(secret: Declaration<'secret'>, context: ChartContext): SecretSpec {
  const keys = valuesOf(secret, context).map(
    ([key, value]) => [key, context.seal(`${secret.ref}#${key}`, value)] as const,
  )
  if (keysOf(secret).length === 0 && !secret.isFaulty([])) {
    const fault = bad('has no values', 'give some under data, stringData, files or environment')
    secret.report([], fault, 'key')
  }
  return compact({
    object: secret.object,
    type: secret.data.type ?? 'opaque',
    keys: Object.fromEntries(keys),
    labels: secret.labels,
  })
}

function valuesOf(
  secret: Declaration<'secret'>,
  context: ChartContext,
): readonly (readonly [string, Uint8Array])[] {
  const found = new Map<string, Uint8Array>()
  for (const source of sources) {
    for (const [key, written] of Object.entries(secret.data[source] ?? {})) {
      const value = valueOf(source, secret.textOf([source, key], written), context)
      const fault = found.has(key)
        ? bad(
            'is given twice',
            'give each key under only one of data, stringData, files, environment',
          )
        : faultOf(value)
      if (fault !== undefined) secret.report([source, key], fault, found.has(key) ? 'key' : 'value')
      else if (value instanceof Uint8Array) found.set(key, value)
    }
  }
  return [...found].toSorted(([left], [right]) => (left < right ? -1 : 1))
}

function valueOf(
  source: (typeof sources)[number],
  written: string,
  context: ChartContext,
): Uint8Array | Fault {
  switch (source) {
    case 'data':
      return Buffer.from(written, 'base64')
    case 'stringData':
      return Buffer.from(written)
    case 'files':
      return fileOf(written, context)
    case 'environment': {
      const value = Object.hasOwn(context.environment, written)
        ? context.environment[written]
        : undefined
      if (value !== undefined) return Buffer.from(value)
      return {
        code: 'bad_reference',
        message: `the variable ${JSON.stringify(written)} is not set, or not allowed to be read`,
        suggestion: `set it, and allow it by name: --allow-env ${written}`,
      }
    }
  }
}

/** A chart's own file, or why it can't be read. */
export function fileOf(path: string, context: Pick<ChartContext, 'readFile'>): Uint8Array | Fault {
  try {
    const content = context.readFile(path)
    if (content !== undefined) return content
    return {
      code: 'bad_reference',
      message: `no file ${JSON.stringify(path)} in the chart`,
      suggestion: 'write the path from the folder of Chart.yaml',
    }
  } catch (thrown) {
    if (!(thrown instanceof Problem)) throw thrown
    return { code: 'bad_reference', message: thrown.message, suggestion: thrown.suggestion }
  }
}

function faultOf(value: Uint8Array | Fault): Fault | undefined {
  if (!(value instanceof Uint8Array)) return value
  if (value.length === 0) return bad('is empty, and Podman keeps no empty secrets')
  return value.length < maxBytes
    ? undefined
    : bad(`has ${value.length} bytes, and Podman keeps fewer than ${maxBytes}`)
}
