/** Helm's TOML functions: errors are text where the result would be. */
import { GoError } from '../errors.ts'
import { anything, takes1, text, type Func } from '../library.ts'
import { readToml } from '../toml/read.ts'
import { writeToml } from '../toml/write.ts'
import { dictOrError } from './json.ts'

export const tomlFunctions: Readonly<Record<string, Func>> = {
  toToml: takes1(anything, ({ budget }, value) => {
    if (value === null) throw new GoError('reflect: call of reflect.Value.Type on zero Value')
    try {
      return writeToml(value, budget)
    } catch (error) {
      if (error instanceof GoError) return error.text
      throw error
    }
  }),
  fromToml: takes1(text, ({ budget }, toml) => dictOrError(() => readToml(toml, budget))),
}
