/** An edit of tend.yaml that the service refused, in a sentence; undefined: what the file says is in force. */
import type { SourceRow } from '#model/api.ts'

type Told = Partial<Pick<SourceRow, 'refType' | 'state' | 'shown' | 'problem'>>

export function isDeclarations({ refType }: Told): boolean {
  return refType === 'declarations'
}

export function refusedFile({ refType, state, shown = '', problem }: Told): string | undefined {
  if (refType !== 'declarations' || state !== 'failed' || problem === undefined) return undefined
  const files = shown.split(', ').map((path) => path.replace(/^.*\//, ''))
  const why = problem.message.replace(/^the declarations are refused: /, '')
  return `${files.join(', ')} ${files.length === 1 ? 'was' : 'were'} not taken over: ${why}`
}
