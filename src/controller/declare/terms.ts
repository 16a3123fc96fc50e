/** The words of tend.yaml: durations, places of secrets, addresses, names. */
import * as z from 'zod/mini'
import { bad, rule } from '#formats/schema/rule.ts'
import { filled } from '#formats/schema/terms.ts'
import { allKinds } from '#kinds/all.ts'

const variableName = z.string().check(
  z.meta({ pattern: '^[A-Za-z_][A-Za-z0-9_]*$', examples: ['GIT_TOKEN'] }),
  rule((value) =>
    /^[A-Za-z_][A-Za-z0-9_]*$/.test(value) ? undefined : bad('is not the name of a variable'),
  ),
)

/** Named, never held. */
export const secretFrom = z.union([
  z.strictObject({
    file: filled.check(
      z.meta({ examples: ['/etc/tend/token'] }),
      z.describe('A file with nothing else in it'),
    ),
  }),
  z.strictObject({ variable: variableName.check(z.describe("A variable of Tend's environment")) }),
])

/** What Compose takes for a project. */
export const projectName = /^[a-z0-9][a-z0-9_-]*$/

const kindNames = allKinds.map(({ name }) => name)

/** `stack:web`, `chart:shop`, `chart:staging/shop`. */
export const appKey = z.string().check(
  z.meta({ pattern: `^(${kindNames.join('|')}):.+$`, examples: ['stack:db'] }),
  rule((value) => {
    const [kind = '', name = ''] = value.split(/:(.*)/s)
    if (kindNames.includes(kind) && /^\S+$/.test(name)) return undefined
    const message = `${JSON.stringify(value)} is not the key of an application`
    return bad(message, /^[\w.-]+$/.test(value) ? `write ${withKinds(value)}` : undefined)
  }),
)

/** `stack:web or chart:web` */
function withKinds(name: string): string {
  const usual = allKinds.filter((kind) => kind.load && kind.hasOwnVerbs !== true)
  return usual.map((kind) => `${kind.name}:${name}`).join(' or ')
}

/** An address of the web that is no secret. A user's name and password do not belong there. */
export const webAddress = z.string().check(
  z.meta({ format: 'uri' }),
  rule((value) => {
    const url = URL.parse(value)
    if (url === null || !/^https?:$/.test(url.protocol)) {
      return bad('is not an address', 'write it as https://example.org/path')
    }
    if (url.username === '' && url.password === '') return undefined
    return bad('holds credentials, which every log would show', 'name them under token or secret')
  }),
)
