/** Variables in what a build gave, after the build: each resource is printed, expanded as text, and read again. */
import type { Built, Json } from '../build.ts'
import { KustomizeError, at, fail, type FileLine } from '../error.ts'
import { expandVariables } from './expand-variables.ts'
import { fromJson } from '../patch/json-patch.ts'
import { parseOne } from '../yaml/parse.ts'
import { type Plain, plainOfSettings } from '../yaml/plain.ts'
import { jsonObject } from '../yaml/plain-json.ts'
import { printYaml } from '../print/print.ts'
import { anotherValue } from './secret-values.ts'
import { defined } from '#model/defined.ts'

type SubstituteOptions = {
  /** A variable without a value and without a default is a mistake; else it is empty. */
  readonly isStrict: boolean
  /** Expand even when there are no variables: expressions may have defaults. */
  readonly isAlways?: boolean
  /** Resources with this label or annotation at `disabled` are left alone. */
  readonly exemption?: string
  /** Where in the document at a place a variable stands; without: nobody knows more than the place. */
  readonly placeOf?: (place: FileLine, variable: string) => FileLine
  /** Names of variables whose values are not for messages. */
  readonly secret?: ReadonlySet<string>
}

/** `isHidden`: it holds what is not for messages, as a Secret does. */
type Substitutable = Built['resources'][number] & { readonly isHidden?: boolean }

/** `stand`: the resource as it would be with other values of the secret variables; undefined where it has none of them. */
type Substituted = Built['resources'][number] & { readonly stand?: Json | undefined }

const variableName = /^[_\p{L}][_\p{L}\p{Nd}]*$/u

export function substitute(
  built: { readonly resources: readonly Substitutable[] },
  variables: ReadonlyMap<string, string>,
  options: SubstituteOptions,
): { readonly resources: readonly Substituted[]; readonly text: string } {
  for (const name of variables.keys()) {
    if (!variableName.test(name)) fail(`${JSON.stringify(name)} can't be the name of a variable`)
  }
  const isIdle = variables.size === 0 && options.isAlways !== true
  const lookup = (name: string): string | undefined =>
    variables.get(name)?.replaceAll('\n', '') ?? (options.isStrict ? undefined : '')
  const { secret = new Set<string>() } = options
  const otherwise = (name: string): string | undefined => {
    const value = lookup(name)
    return value !== undefined && secret.has(name) ? anotherValue(value) : value
  }
  const missing = new Map<string, Missing>()
  const results = built.resources.map((resource) => {
    const plain = fromJson(resource.object)
    if (isIdle || isExempt(resource.object, options.exemption))
      return { plain, ...resource, stand: undefined }
    const { place } = resource
    const isSecret = resource.isHidden === true || resource.object['kind'] === 'Secret'
    const text = printYaml(plain)
    const isTainted = [...secret].some((name) => text.includes(name))
    const expand = () =>
      expandVariables(text, lookup, (name) => {
        if (isSecret) return undefined
        const where = options.placeOf?.(place, name) ?? place
        missing.set(`${where.file}:${where.line} ${name}`, { name, where })
        return ''
      })
    const expanded = at(place, () => (isSecret ? withoutWords(expand) : expand()))
    // what is missing is told when all is known
    const after = missing.size > 0 ? plain : reread(expanded, place, isTainted || isSecret)
    const made = { plain: after, place, object: jsonObject(after) ?? {}, stand: undefined }
    if (!isTainted || missing.size > 0) return made
    return {
      ...made,
      stand: standOf(
        expandVariables(text, otherwise, () => ''),
        place,
      ),
    }
  })
  if (missing.size > 0) throw without([...missing.values()])
  return {
    resources: results.map(({ object, place, stand }) => ({ object, place, stand })),
    text: results.map(({ plain }) => printYaml(plain)).join('---\n'),
  }
}

type Missing = { readonly name: string; readonly where: FileLine }

function without([first, ...others]: readonly Missing[]): KustomizeError {
  const more = others.map(({ name, where }) => `${name} (${where.file}:${where.line})`)
  const also = more.length === 0 ? '' : `, nor have: ${more.join(', ')}`
  return new KustomizeError(
    `the variable ${defined(first).name} has no value${also}`,
    defined(first).where,
  )
}

/** What stands in a Secret is not for messages. */
function withoutWords(expand: () => string): string {
  try {
    return expand()
  } catch (error) {
    if (!(error instanceof KustomizeError)) throw error
    return fail(
      "a variable in what is secret here has no value or can't be read; $${ writes the signs",
    )
  }
}

function reread(text: string, place: FileLine, hasSecrets: boolean): Plain {
  try {
    const node = parseOne(text, place.file, 'old')
    return node === undefined ? new Map() : plainOfSettings(node)
  } catch (error) {
    if (!(error instanceof KustomizeError)) throw error
    // the reason may quote the text
    const why = hasSecrets ? 'no YAML that can be read; some of them are secret' : error.reason
    throw new KustomizeError(`with the values of its variables this is ${why}`, place)
  }
}

/** Null: with other values it can't be read, so that all of it counts as different. */
function standOf(text: string, { file }: FileLine): Json {
  try {
    const node = parseOne(text, file, 'old')
    return node === undefined ? null : (jsonObject(plainOfSettings(node)) ?? null)
  } catch (error) {
    if (!(error instanceof KustomizeError)) throw error
    return null
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
