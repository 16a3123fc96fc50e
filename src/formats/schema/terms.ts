/** Words that most languages share: filled texts, whole numbers, paths, maps of texts. */
import { posix } from 'node:path'
import * as z from 'zod/mini'
import { bad, rule } from './rule.ts'

export const filled = z.string().check(
  z.meta({ minLength: 1 }),
  rule((value) => (value.trim() === '' ? bad('is empty') : undefined)),
)

/** A text that people write as a number or a truth value too; how it is written is what counts. */
export const scalar = z.union([z.string(), z.number(), z.boolean()])

export const scalars = z.record(z.string(), scalar)

export function whole(least: number, most?: number): z.ZodMiniNumber {
  const upper = most === undefined ? {} : { maximum: most }
  const range = most === undefined ? `at least ${least}` : `from ${least} to ${most}`
  return z.number().check(
    z.meta({ type: 'integer', minimum: least, ...upper }),
    rule((value) => {
      if (!Number.isSafeInteger(value)) return bad(`${value} is not a whole number`)
      return value < least || value > (most ?? value) ? bad(`${value} is not ${range}`) : undefined
    }),
  )
}

/** A place in a container or on the host: absolute, and written the way it resolves. */
export const absolutePath = z.string().check(
  z.meta({ pattern: '^/' }),
  rule((value) => {
    if (!value.startsWith('/')) {
      return bad(`${JSON.stringify(value)} is not an absolute path`, 'begin it with /')
    }
    // oxlint-disable-next-line no-control-regex -- that is what is refused
    if (/[\0-\x1f]/.test(value)) return bad('has control characters in it')
    const clean = posix.normalize(value).replace(/(.)\/$/, '$1')
    return clean === value.replace(/(.)\/$/, '$1')
      ? undefined
      : bad(`${JSON.stringify(value)} is not a plain path`, `write ${clean}`)
  }),
)

/** A place below another one, or inside the chart. */
export const relativePath = z.string().check(
  rule((value) => {
    if (value === '') return bad('is empty')
    if (value.startsWith('/')) {
      return bad(`${JSON.stringify(value)} is absolute`, 'write it relative, without the leading /')
    }
    // oxlint-disable-next-line no-control-regex -- that is what is refused
    if (/[\0-\x1f]/.test(value)) return bad('has control characters in it')
    const parts = value.replace(/\/$/, '').split('/')
    if (parts.includes('..')) return bad(`${JSON.stringify(value)} leaves its place with ".."`)
    return parts.includes('') ? bad(`${JSON.stringify(value)} has an empty part ("//")`) : undefined
  }),
)
