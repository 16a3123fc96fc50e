/** Rules on values in our own words: zod finds out, we say it. */
import * as z from 'zod/mini'
import type { Code } from '#model/problem.ts'
import { didYouMean } from './suggestion.ts'

/** What is wrong with one value. The message follows the value's path: `spec.image: is empty`. */
export type Fault = {
  readonly code: Code
  readonly message: string
  readonly suggestion?: string | undefined
}

/** Where a check leaves its fault in zod's issue. */
export const faultKey = 'fault'

export function rule<Value>(judge: (value: Value) => Fault | undefined): z.core.$ZodCheck<Value> {
  return z.check<Value>((payload) => {
    const fault = judge(payload.value)
    if (fault === undefined) return
    payload.issues.push({
      code: 'custom',
      input: payload.value,
      message: fault.message,
      params: { [faultKey]: fault },
      continue: true,
    })
  })
}

export function bad(message: string, suggestion?: string): Fault {
  return { code: 'bad_value', message, suggestion }
}

/** A text of a fixed set, read without regard to case; editors offer the spellings given here. */
export function anyCase(spellings: readonly string[]): z.ZodMiniString {
  const known = new Set(spellings.map((word) => word.toLowerCase()))
  return z.string().check(
    z.meta({ enum: [...new Set([...spellings, ...spellings.map((w) => w.toLowerCase())])] }),
    rule((value) =>
      known.has(value.toLowerCase())
        ? undefined
        : bad(
            `${JSON.stringify(value)} is not one of: ${spellings.join(', ')}`,
            didYouMean(value, spellings),
          ),
    ),
  )
}
