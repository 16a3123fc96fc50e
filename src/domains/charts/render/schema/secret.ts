/** CuteSecret: values from the manifest, from files of the chart, or from listed variables of the environment. */
import * as z from 'zod/mini'
import { bad, rule } from '#formats/schema/rule.ts'
import { filled, relativePath, scalar } from '#formats/schema/terms.ts'

const key = z.string().check(
  z.meta({ pattern: '^[-._a-zA-Z0-9]+$' }),
  rule((value) =>
    /^[-._a-zA-Z0-9]{1,200}$/.test(value) && !/^\.+$/.test(value)
      ? undefined
      : bad(`${JSON.stringify(value)} is not a key`, 'use letters, digits, "-", "_" and "."'),
  ),
)

/** The value is never part of a message. */
const base64 = z.string().check(
  z.meta({ contentEncoding: 'base64' }),
  rule((value) =>
    isBase64(value.replace(/\s/g, ''))
      ? undefined
      : bad('is not base64', 'give plain text under stringData instead'),
  ),
)

export const secretSchema = z.strictObject({
  type: z.optional(filled.check(z.describe('For people; default: opaque'))),
  data: z.optional(z.record(key, base64).check(z.describe('Values in base64'))),
  stringData: z.optional(z.record(key, scalar).check(z.describe('Values as plain text'))),
  files: z.optional(
    z.record(key, relativePath).check(z.describe('Values read from files inside the chart')),
  ),
  environment: z.optional(
    z
      .record(key, filled)
      .check(z.describe('Values read from variables that the operator allowed by name')),
  ),
})
export type SecretData = z.infer<typeof secretSchema>

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)
}
