/** Why a fleet as a whole is not as declared, such as a file of it that is refused; undefined: nothing is known to be wrong. */
import type { AppRow } from '#model/api.ts'
import { sentence } from '../../parts/sentence.ts'
import { wholeWhyOf } from '../overview/why.ts'

type Told = Pick<AppRow, 'state' | 'health' | 'sync' | 'reason' | 'source' | 'refused'>

export function fleetTrouble(app: Told): string | undefined {
  const isWrong = app.state === 'failed' || app.refused !== undefined
  const why = wholeWhyOf(app) || (app.refused?.problem.message ?? '')
  return isWrong && why !== '' ? sentence(why) : undefined
}
