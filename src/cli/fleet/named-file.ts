/** The text of a file that a person named on the command line. */
import { readFileSync } from 'node:fs'
import { Problem } from '#model/problem.ts'

/** `suggestion` says which file to name instead. */
export function textOfNamed(file: string, suggestion: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new Problem({
      type: 'configuration',
      code: 'not_found',
      message: `${file} can't be read`,
      suggestion,
      cause,
    })
  }
}
