/** Variables in what a build gave, after the build: each resource is printed, expanded as text, and read again. */
import type { Built, Json } from './build.ts'
import { KustomizeError, at, fail, type Place } from './error.ts'
import { expandVariables } from './expand-variables.ts'
import { fromJson } from './json-patch.ts'
import { parseOne } from './parse.ts'
import { type Plain, plainOfSettings } from './plain.ts'
import { jsonObject } from './plain-json.ts'
import { printYaml } from './print.ts'

export type SubstituteOptions = {
  /** A variable without a value and without a default is a mistake; else it is empty. */
  readonly isStrict: boolean
  /** Expand even when there are no variables: expressions may have defaults. */
  readonly isAlways?: boolean
  /** Resources with this label or annotation at `disabled` are left alone. */
  readonly exemption?: string
  /** Where in the document at a place a variable stands; without: nobody knows more than the place. */
  readonly placeOf?: (place: Place, variable: string) => Place
}

const variableName = /^[_\p{L}][_\p{L}\p{Nd}]*$/u

export function substitute(
  built: Pick<Built, 'resources'>,
  variables: ReadonlyMap<string, string>,
  options: SubstituteOptions,
): Pick<Built, 'resources' | 'text'> {
  for (const name of variables.keys()) {
    if (!variableName.test(name)) fail(`${JSON.stringify(name)} can't be the name of a variable`)
  }
  const isIdle = variables.size === 0 && options.isAlways !== true
  const lookup = (name: string): string | undefined =>
    variables.get(name)?.replaceAll('\n', '') ?? (options.isStrict ? undefined : '')
  const missing = new Map<string, Missing>()
  const results = built.resources.map((resource) => {
    const plain = fromJson(resource.object)
    if (isIdle || isExempt(resource.object, options.exemption)) return { plain, ...resource }
    const { place } = resource
    const isSecret = resource.object['kind'] === 'Secret'
    const expand = () =>
      expandVariables(printYaml(plain), lookup, (name) => {
        if (isSecret) return undefined
        const where = options.placeOf?.(place, name) ?? place
        missing.set(`${where.file}:${where.line} ${name}`, { name, where })
        return ''
      })
    const expanded = at(place, () => (isSecret ? withoutWords(expand) : expand()))
    // what is missing is told when all is known
    const after = missing.size > 0 ? plain : reread(expanded, place.file, place.line)
    return { plain: after, place, object: jsonObject(after) ?? {} }
  })
  if (missing.size > 0) throw without([...missing.values()])
  return {
    resources: results.map(({ object, place }) => ({ object, place })),
    text: results.map(({ plain }) => printYaml(plain)).join('---\n'),
  }
}

type Missing = { readonly name: string; readonly where: Place }

function without([first, ...others]: readonly Missing[]): KustomizeError {
  const more = others.map(({ name, where }) => `${name} (${where.file}:${where.line})`)
  const also = more.length === 0 ? '' : `, nor have: ${more.join(', ')}`
  return new KustomizeError(`the variable ${first!.name} has no value${also}`, first!.where)
}

/** What stands in a Secret is not for messages. */
function withoutWords(expand: () => string): string {
  try {
    return expand()
  } catch (error) {
    if (!(error instanceof KustomizeError)) throw error
    return fail("a variable in this Secret has no value or can't be read; $${ writes the signs")
  }
}

function reread(text: string, file: string, line: number): Plain {
  try {
    const node = parseOne(text, file, 'old')
    return node === undefined ? new Map() : plainOfSettings(node)
  } catch (error) {
    if (!(error instanceof KustomizeError)) throw error
    const reason = `with the values of its variables this is ${error.reason}`
    throw new KustomizeError(reason, { file, line })
  }
}

function isExempt(
  object: { readonly [key: string]: Json },
  exemption: string | undefined,
): boolean {
  if (exemption === undefined) return false
  const metadata = object['metadata']
  return ['labels', 'annotations'].some((name) => {
    const texts = isRecord(metadata) ? metadata[name] : undefined
    return isRecord(texts) && texts[exemption] === 'disabled'
  })
}

function isRecord(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
