/** All functions that templates know. */
import type { Func, Library } from '../library.ts'
import { builtins } from './builtins.ts'
import { certificateFunctions } from './certificates.ts'
import { cryptoFunctions } from './crypto.ts'
import { dateFunctions } from './dates.ts'
import { dictFunctions } from './dicts.ts'
import { encodingFunctions } from './encoding.ts'
import { jsonFunctions } from './json.ts'
import { listFunctions } from './lists.ts'
import { mathFunctions } from './math.ts'
import { pathFunctions } from './paths.ts'
import { randomFunctions } from './random.ts'
import { regexFunctions } from './regex.ts'
import { semverFunctions } from './semver.ts'
import { stringFunctions } from './strings.ts'
import { templateFunctions } from './templates.ts'
import { tomlFunctions } from './toml.ts'
import { urlFunctions } from './url.ts'
import { wordFunctions } from './words.ts'
import { yamlFunctions } from './yaml.ts'

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
    encodingFunctions,
    jsonFunctions,
    yamlFunctions,
    tomlFunctions,
    regexFunctions,
    urlFunctions,
    randomFunctions,
    cryptoFunctions,
    certificateFunctions,
  ].flatMap((family) => Object.entries(family)),
)
