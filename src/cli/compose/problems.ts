/** What the Compose loader finds wrong, as problems of the product. */
import { relative } from 'node:path'
import type { ComposeError } from '#formats/compose/compose-error.ts'
import type { ProblemFacts } from '#model/problem.ts'

export function composeProblems(error: ComposeError): readonly ProblemFacts[] {
  return error.problems.map(({ file, line, column, message, suggestion }) => {
    const facts = { type: 'configuration', code: 'compose_error', suggestion } as const
    const shown = file === '' ? '' : shownFile(file)
    if (line > 0) return { ...facts, message, at: { file: shown, line, column } }
    return { ...facts, message: shown === '' ? message : `${shown}: ${message}` }
  })
}

/** The path is relative where it lies below the folder that the command runs in. */
export function shownFile(file: string): string {
  const near = relative(process.cwd(), file)
  return near === '' || near.startsWith('..') ? file : near
}
