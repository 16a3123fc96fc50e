/** Chart.yaml. Other fields are let through: charts made for Helm have more. */
import * as z from 'zod/mini'
import { name } from './terms.ts'

export const chartSchema = z.looseObject({
  name: name.check(z.describe("The chart's name, and that of what it installs")),
  version: z.optional(z.union([z.string(), z.number()]).check(z.describe('Such as 1.2.3'))),
  description: z.optional(z.string().check(z.describe('One line on what it is'))),
})
export type ChartData = z.infer<typeof chartSchema>
