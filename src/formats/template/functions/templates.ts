/** The functions that call templates, stop them, or ask the world: Helm's own. */
import { GoError } from '../errors.ts'
import { anything, takes1, takes2, takesMany, text, type Func } from '../library.ts'
import { box } from '../values.ts'

export const templateFunctions: Readonly<Record<string, Func>> = {
  include: takes2(text, anything, (context, name, data) => context.include(name, data)),
  tpl: takes2(text, anything, (context, template, data) => context.tpl(template, data)),
  required: takes2(text, anything, (_, message, value) => {
    if (value === null || value === '') throw new GoError(message)
    return box(value)
  }),
  fail: takes1(text, (_, message) => {
    throw new GoError(message)
  }),
  lookup: takesMany([text, text, text, text], ([apiVersion, kind, namespace, name], context) => {
    return context.lookup(
      text.read(apiVersion),
      text.read(kind),
      text.read(namespace),
      text.read(name),
    )
  }),
  /** No render asks the network. */
  getHostByName: takes1(text, () => ''),
}
