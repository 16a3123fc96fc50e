/** What people who come from other tools may have meant in a manifest. */
import type * as z from 'zod/mini'
import type { Hints } from '#formats/schema/faults.ts'
import { fieldsAt } from '#formats/schema/look-up.ts'
import { otherWay, sameField } from './other-tools.ts'
import { rightForm } from './right-form.ts'

export const chartHints: Hints = {
  field: (schema, path, key) =>
    otherWay.get(key) ?? (path.length === 0 ? useInstead(schema, key) : undefined),
  form: rightForm,
  root: 'spec.',
}

function useInstead(schema: z.core.$ZodType, key: string): string | undefined {
  const same = sameField.get(key)
  const field = same === undefined ? undefined : /^\w+/.exec(same)?.[0]
  if (field === undefined) return undefined
  return ['metadata', ...fieldsAt(schema, [])].includes(field) ? `use ${same}` : undefined
}
