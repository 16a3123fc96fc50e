/** A bad edit of tend.yaml as a source that fails: shown wherever sources are, until it is mended. */
import { placeText, type ProblemFacts } from '#model/problem.ts'
import type { SourceStatus } from '#model/service.ts'

/** As many as a person mends in one go. */
const mostTold = 20

/** `paths`: of the files; the first problem stands for all. Of a service that was mended `problems` are empty. */
export function refusedEdit(
  paths: readonly string[],
  problems: readonly ProblemFacts[],
  at: number,
): SourceStatus {
  const [first, ...others] = problems
  const status = {
    shown: paths.join(', '),
    ref: '',
    revision: '',
    message: '',
    refType: 'declarations',
    at,
  } as const
  if (first === undefined) return { ...status, state: 'completed', problem: undefined }
  const lines = others.slice(0, mostTold - 1).map(lineOf)
  const left = others.length - lines.length
  const problem = {
    ...first,
    message: `the declarations are refused: ${[lineOf(first), ...lines].join('; ')}${left === 0 ? '' : `; and ${left} more`}`,
    suggestion: `${first.suggestion === undefined ? '' : `${first.suggestion}; `}what was declared before stays in force until the file is mended`,
  }
  return { ...status, state: 'failed', problem }
}

function lineOf({ message, at }: ProblemFacts): string {
  return at === undefined ? message : `${placeText(at)}: ${message}`
}

export function isRefusedEdit({ refType, state }: SourceStatus): boolean {
  return refType === 'declarations' && state === 'failed'
}
