/**
 * The Tend that tests start. In a run of many files it is what `npm run build` makes, as users have it: that starts three times as
 * fast as the source. In a run of a few files it is the source, so that nothing has to be built (`--built` for the other one).
 */
import { builtVariable } from './built-program.ts'

export function tendProgram(): string {
  return process.env[builtVariable] ?? 'bin/tend'
}
