/** All functions that templates know. */
import type { Func, Library } from '../library.ts'
import { builtins } from './builtins.ts'
import { dateFunctions } from './dates.ts'
import { dictFunctions } from './dicts.ts'
import { listFunctions } from './lists.ts'
import { mathFunctions } from './math.ts'
import { pathFunctions } from './paths.ts'
import { semverFunctions } from './semver.ts'
import { stringFunctions } from './strings.ts'
import { templateFunctions } from './templates.ts'
import { wordFunctions } from './words.ts'

export const functions: Library = new Map<string, Func>(
  [
    builtins,
    stringFunctions,
    wordFunctions,
    listFunctions,
    dictFunctions,
    mathFunctions,
    dateFunctions,
    semverFunctions,
    pathFunctions,
    templateFunctions,
  ].flatMap((family) => Object.entries(family)),
)
