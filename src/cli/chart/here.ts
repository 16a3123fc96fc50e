/** The chart that a command means when it names none: that of the folder it runs in. */
import { existsSync } from 'node:fs'
import type { Invocation } from '../arguments/invocation.ts'
import { usageProblem } from '../arguments/usage.ts'

export function chartWord({ verb, words }: Invocation): string {
  const [word] = words
  if (word !== undefined) return word
  if (existsSync('Chart.yaml')) return '.'
  throw usageProblem(
    `tend ${verb} needs PATH or NAME: there is no Chart.yaml in this folder`,
    `give the folder of a chart, or the name of an installed one: tend ${verb} ./my-app`,
  )
}
