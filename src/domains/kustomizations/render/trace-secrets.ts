/**
 * Which leaves of the built objects came from an encrypted patch, or from a Secret by a replacement or a var: those that a build
 * without the patch, and with other values in Secrets, has otherwise. Pure.
 */
import { parseAllDocuments, visit } from 'yaml'
import {
  buildKustomization,
  type BuildRequest,
  type Built,
  type JsonObject,
} from '#formats/kustomize/build.ts'
import { KustomizeError } from '#formats/kustomize/error.ts'
import { mapTexts, withoutSecrets } from '#model/secret-shapes.ts'
import { nameOfObject, refOfObject } from '../object.ts'
import { differing, type Tainted } from '../taint.ts'

type TracedBuild = Pick<Built, 'resources' | 'warnings'> & {
  /** Of each resource. */
  readonly tainted: readonly Tainted[]
}

/** What was decrypted for a build: which patches, and the texts of all that must not be quoted. */
export type DecryptedSources = {
  readonly patches: ReadonlySet<string>
  readonly texts: readonly string[]
}

export function buildTraced(request: BuildRequest, sources: DecryptedSources): TracedBuild {
  const { resources, warnings, takesFromSecrets } = withoutQuotes(sources, () =>
    buildKustomization(request),
  )
  const isTraced = sources.patches.size > 0 || takesFromSecrets
  const others = isTraced ? builtOtherwise({ ...request, otherwise: sources.patches }) : undefined
  const tainted = resources.map(({ object }, index): Tainted => {
    return others === undefined ? new Set() : differing(object, others(object, index))
  })
  return { resources, warnings, tainted }

  function builtOtherwise(changed: BuildRequest) {
    const made = objectsOf(changed)
    if (made.length !== resources.length) {
      const named = new Map(made.map((one) => [refOfObject(nameOfObject(one)), one]))
      return (object: JsonObject) => named.get(refOfObject(nameOfObject(object)))
    }
    // a name that ends in a hash of the content is another one, and so is what refers to it
    const renamed = new Map(
      made.map((one, index) => [
        nameOfObject(one).name,
        nameOfObject(resources[index]?.object ?? one).name,
      ]),
    )
    const alike = made.map((one) => mapTexts(one, (text) => renamed.get(text) ?? text))
    return (_: JsonObject, index: number) => alike[index]
  }
}

/** None: it can't be built without the patches, so that every leaf may have come from them. */
function objectsOf(request: BuildRequest): readonly JsonObject[] {
  try {
    return buildKustomization(request).resources.map(({ object }) => object)
  } catch (error) {
    if (error instanceof KustomizeError) return []
    throw error
  }
}

function withoutQuotes<Result>({ texts }: DecryptedSources, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof KustomizeError) || texts.length === 0) throw error
    const { file, line = 1, needs } = error
    const reason = withoutSecrets(error.reason, new Set(texts.flatMap(valuesIn)))
    throw new KustomizeError(reason, file === undefined ? undefined : { file, line }, needs)
  }
}

/** Every value of a text of YAML, JSON or variables, and its lines, for a text that is none of these. */
function valuesIn(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.trim())
  const values = lines.flatMap((line) => [line, line.slice(line.indexOf('=') + 1).trim()])
  for (const document of parseAllDocuments(text, { logLevel: 'silent', uniqueKeys: false })) {
    if (document.errors.length > 0) continue
    visit(document, {
      Scalar: (key, { value }) => {
        if (key !== 'key' && value !== null)
          values.push(typeof value === 'string' ? value : JSON.stringify(value))
      },
    })
  }
  return values
}
