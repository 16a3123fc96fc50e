/** `render:` of tend.yaml: what rendering one application may cost. */
import * as z from 'zod/mini'
import { parseSize } from '#formats/compose/canonical/units.ts'
import { bad, rule } from '#formats/schema/rule.ts'
import { leastMemory, type RenderLimits } from '../render/render-limits.ts'
import { duration, durationOf } from '#kinds/duration.ts'

const most = 64 * 1024 ** 3

const memory = z.union([z.string(), z.number()]).check(
  z.meta({ examples: ['512M', '1G'] }),
  rule((value) => {
    const bytes = sizeOf(value)
    if (bytes === undefined) {
      return bad(`${JSON.stringify(value)} is not an amount of memory`, 'write it like 512M or 1G')
    }
    if (bytes < leastMemory) {
      return bad(`${JSON.stringify(value)} is too little`, `at least ${leastMemory / 1024 ** 2}M`)
    }
    return bytes > most ? bad(`${JSON.stringify(value)} is too much`, 'at most 64G') : undefined
  }),
)

export const renderSchema = z.strictObject({
  timeout: z.optional(
    duration(1_000).check(z.describe('How long rendering one application may take. Default: 60s')),
  ),
  memory: z.optional(memory.check(z.describe('How much memory that may take. Default: 768M'))),
})

type RenderData = z.infer<typeof renderSchema>

export function renderLimitsOf({ timeout, memory: size }: RenderData): Partial<RenderLimits> {
  const milliseconds = timeout === undefined ? undefined : durationOf(timeout)
  const bytes = size === undefined ? undefined : sizeOf(size)
  return {
    ...(milliseconds === undefined ? {} : { timeout: milliseconds }),
    ...(bytes === undefined ? {} : { memory: bytes }),
  }
}

function sizeOf(value: string | number): number | undefined {
  const bytes = parseSize(String(value))
  return bytes === undefined ? undefined : Number(bytes)
}
