/** Sprig's version functions. */
import { takes1, takes2, text, type Func } from '../library.ts'
import { satisfies } from '../semver/constraint.ts'
import { parseVersion } from '../semver/version.ts'

export const semverFunctions: Readonly<Record<string, Func>> = {
  semver: takes1(text, (_, version) => ({ kind: 'semver', version: parseVersion(version) })),
  semverCompare: takes2(text, text, (_, constraint, version) => satisfies(constraint, version)),
}
