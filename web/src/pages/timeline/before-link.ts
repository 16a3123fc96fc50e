/** "What changed before this broke?" as an address: everything in the hour before. */
import { queryText } from '../../api/query.ts'

const span = 3_600_000
const after = 120_000

export function beforeLink(key: string, at: number): string {
  return `/timeline${queryText({ from: at - span, to: at + after, broke: at, about: key })}`
}
