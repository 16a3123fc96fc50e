/** The door of this library: reads a schema once, and holds values against it. */
import { canonical } from './equality.ts'
import { faultsOfText, faultsOfNumber } from './scalars.ts'
import { Outcome, type Fault } from './outcome.ts'
import { fieldOf, references, type Part } from './references.ts'
import { SchemaError } from './schema-error.ts'
import { isObject, typeFault } from './types.ts'
import { itemFaults } from './arrays.ts'
import { propertyFaults } from './objects.ts'
import { combined } from './combined.ts'

export type { Fault } from './outcome.ts'
export { SchemaError } from './schema-error.ts'

export type Schema = {
  /** Throws SchemaError for a part of the schema that can't be used. */
  faultsOf(value: unknown): readonly Fault[]
}

export type ValuePath = readonly (string | number)[]

/** Holds a value against a part of the schema. */
export type Check = (part: Part, value: unknown, path: ValuePath) => Outcome

/** What the keywords of one part work with. */
export type Keywords = {
  readonly part: Part
  readonly draft: number
  readonly field: (name: string) => unknown
  readonly has: (name: string) => boolean
  readonly inside: (...keys: (string | number)[]) => Part
  readonly check: Check
}

const mostChecks = 1_000_000
const deepest = 500

export function readSchema(document: unknown): Schema {
  if (typeof document !== 'boolean' && !isObject(document))
    throw new SchemaError('expected a schema: an object, true or false', [])
  const known = references(document)
  return {
    faultsOf(value) {
      let checks = 0
      const way: string[] = []

      function check(part: Part, held: unknown, path: ValuePath): Outcome {
        checks += 1
        if (checks > mostChecks) throw new SchemaError('the schema takes too many steps', part.path)
        if (way.length > deepest) throw new SchemaError('the schema leads in a circle', part.path)
        way.push(part.base)
        try {
          return checked(part, held, path)
        } finally {
          way.pop()
        }
      }
      function checked(part: Part, held: unknown, path: ValuePath): Outcome {
        const outcome = new Outcome()
        const { schema } = part
        if (schema === true) return outcome
        if (schema === false) {
          outcome.faults.push({ path, message: 'nothing is allowed here' })
          return outcome
        }
        if (!isObject(schema))
          throw new SchemaError('expected a schema: an object, true or false', part.path)
        const keywords: Keywords = {
          part,
          draft: known.draft,
          field: (name) => fieldOf(schema, name),
          has: (name) => Object.hasOwn(schema, name),
          inside: (...keys) => known.inside(part, ...keys),
          check,
        }
        for (const target of targets(part, keywords)) outcome.take(check(target, held, path))
        if (known.draft <= 7 && keywords.has('$ref')) return outcome
        outcome.take(scalarFaults(keywords, held, path))
        combined(keywords, held, path, outcome)
        if (Array.isArray(held)) itemFaults(keywords, held, path, outcome)
        else if (isObject(held)) propertyFaults(keywords, held, path, outcome)
        return outcome
      }
      function targets(part: Part, { field }: Keywords): readonly Part[] {
        const [plain, dynamic, recursive] = [
          field('$ref'),
          field('$dynamicRef'),
          field('$recursiveRef'),
        ]
        return [
          ...(typeof plain === 'string' ? [known.find(plain, part)] : []),
          ...(known.draft === 2020 && typeof dynamic === 'string'
            ? [known.findDynamic(dynamic, part, way)]
            : []),
          ...(known.draft === 2019 && typeof recursive === 'string'
            ? [known.findRecursive(part, way)]
            : []),
        ]
      }
      return distinct(check(known.root, value, []).faults)
    },
  }
}

function scalarFaults(
  { field, has, draft, part }: Keywords,
  value: unknown,
  path: ValuePath,
): Outcome {
  const outcome = new Outcome()
  function fault(message: string | undefined): void {
    if (message !== undefined) outcome.faults.push({ path, message })
  }
  const mismatch = typeFault(field('type'), value)
  fault(mismatch)
  const allowed = field('enum')
  if (Array.isArray(allowed)) {
    const own = canonical(value)
    if (!allowed.some((each) => canonical(each) === own))
      fault(`expected one of ${allowed.map(canonical).join(', ')}`)
  }
  if (has('const') && draft > 4 && canonical(field('const')) !== canonical(value))
    fault(`expected ${canonical(field('const'))}`)
  // what has the wrong type has no length and no size
  if (mismatch !== undefined) return outcome
  if (typeof value === 'number') for (const each of faultsOfNumber(value, field, draft)) fault(each)
  if (typeof value === 'string')
    for (const each of faultsOfText(value, field, draft, part.path)) fault(each)
  return outcome
}

/** Several keywords may say the same of one value. */
function distinct(faults: readonly Fault[]): readonly Fault[] {
  const told = new Set<string>()
  return faults.filter(({ path, message }) => {
    const text = `${canonical(path)} ${message}`
    if (told.has(text)) return false
    told.add(text)
    return true
  })
}
