/** Turns a kustomization into resources: built, variables filled in, signed by its owner, secrets sealed. Pure. */
import { recordOf, textMapOf } from '#clients/http/read.ts'
import { kindsOf } from '#clients/kubernetes/discovery.ts'
import { KustomizeError } from '#formats/kustomize/error.ts'
import type { Rendered } from '#model/domain.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Place, ProblemFacts } from '#model/problem.ts'
import type { Ref } from '#model/ref.ts'
import type { Need, Resource } from '#model/resource.ts'
import type { Value } from '#model/value.ts'
import { vaultOf } from '#model/vault.ts'
import { buildObjects, type BuildInput } from './build.ts'
import {
  isDefinition,
  isSecret,
  nameOfObject,
  namespaceRef,
  ownerLabels,
  refOfObject,
  wordsOfObject,
  type Owner,
} from './object.ts'
import { inApplyOrder } from './stages.ts'

export type KustomizationInput = BuildInput & {
  readonly owner: Owner
  readonly revision: string
  /** What digests of secrets are salted with. */
  readonly seed: Uint8Array
}

type Part = { readonly object: JsonRecord; readonly place: Place }

/** All problems at once. Throws nothing but bugs. */
export function renderKustomization(input: KustomizationInput): Rendered {
  const secrets = new Map<string, Uint8Array>()
  const shared = { version: input.revision, vault: vaultOf(secrets, input.seed) }
  try {
    const { parts, warnings } = partsOf(input)
    const twice = namedTwice(parts)
    const definers = definersOf(parts)
    const namespaces = new Set(parts.map(({ object }) => refOfObject(nameOfObject(object))))
    const resources = parts.map((part) =>
      resourceOf(part, input.owner, secrets, (object) => needsOf(object, definers, namespaces)),
    )
    const ordered = inApplyOrder(resources)
    return { ...shared, resources: ordered, problems: twice, warnings, isIncomplete: false }
  } catch (error) {
    if (!(error instanceof KustomizeError)) throw error
    return {
      ...shared,
      resources: [],
      problems: [problemOf(error)],
      warnings: [],
      isIncomplete: true,
    }
  }
}

function partsOf(input: KustomizationInput) {
  const { objects, warnings } = buildObjects(input)
  const parts = objects.map(({ object, place }): Part => {
    return { object: normal(object), place: { ...place, column: 1 } }
  })
  return { parts, warnings }
}

/** Without what only a server may say. */
function normal(object: JsonRecord): JsonRecord {
  const { status: _, ...rest } = object
  return isDefinition(nameOfObject(object)) ? object : rest
}

function resourceOf(
  { object, place }: Part,
  owner: Owner,
  secrets: Map<string, Uint8Array>,
  needs: (object: JsonRecord) => readonly Need[],
): Resource {
  const name = nameOfObject(object)
  const ref = refOfObject(name)
  const metadata = recordOf(object['metadata'])
  const labels = { ...textMapOf(metadata['labels']), ...ownerLabels(owner) }
  const signed = { ...object, metadata: { ...metadata, labels } }
  const spec: Value = isSecret(name) ? sealed(signed, ref, secrets) : signed
  const problems = isSecret(name) && object['sops'] !== undefined ? [encrypted(ref, place)] : []
  return { ref, spec, needs: needs(object), origin: place, problems }
}

/** `stringData` is a way of writing `data`; either way its values go to the vault and only their places stay. */
function sealed(object: JsonRecord, ref: Ref, secrets: Map<string, Uint8Array>): Value {
  const { data, stringData, ...rest } = object
  const texts = Object.entries(textMapOf(stringData)).map(
    ([key, text]) => [key, Buffer.from(text).toString('base64')] as const,
  )
  const all = new Map([...Object.entries(textMapOf(data)), ...texts])
  if (all.size === 0) return rest
  const places: Record<string, Value> = {}
  for (const [key, value] of all) {
    const id = `${ref}#${key}`
    // line breaks mean nothing in base64, and a server does not keep them
    secrets.set(id, Buffer.from(value.replaceAll(/\s/g, '')))
    places[key] = { sealed: id }
  }
  return { ...rest, data: places }
}

/** A namespace or a definition of the same set comes before what lives in it or by it. */
function needsOf(
  object: JsonRecord,
  definers: ReadonlyMap<string, Ref>,
  declared: ReadonlySet<Ref>,
): readonly Need[] {
  const { apiVersion, kind, namespace } = nameOfObject(object)
  const space = namespaceRef(namespace)
  const definer = definers.get(`${apiVersion} ${kind}`)
  const refs = [
    ...(namespace !== '' && declared.has(space) ? [space] : []),
    ...(definer === undefined ? [] : [definer]),
  ]
  return refs.map((ref) => ({ ref, until: 'exists', renew: false }))
}

function definersOf(parts: readonly Part[]): ReadonlyMap<string, Ref> {
  const definers = new Map<string, Ref>()
  for (const { object } of parts) {
    const name = nameOfObject(object)
    if (!isDefinition(name)) continue
    for (const { apiVersion, kind } of kindsOf(object)) {
      definers.set(`${apiVersion} ${kind}`, refOfObject(name))
    }
  }
  return definers
}

function namedTwice(parts: readonly Part[]): readonly ProblemFacts[] {
  const seen = new Map<Ref, Place>()
  const problems: ProblemFacts[] = []
  for (const { object, place } of parts) {
    const name = nameOfObject(object)
    const ref = refOfObject(name)
    const before = seen.get(ref)
    seen.set(ref, before ?? place)
    if (before === undefined) continue
    const message = `${wordsOfObject(name)} is there twice, first at ${before.file}:${before.line}`
    problems.push({ type: 'configuration', code: 'duplicate_name', message, at: place })
  }
  return problems
}

function encrypted(ref: Ref, at: Place): ProblemFacts {
  const message = 'it is still encrypted with SOPS'
  const suggestion = 'say how to decrypt it: spec.decryption'
  return { type: 'validation', code: 'bad_value', ref, at, message, suggestion }
}

function problemOf({ reason, file, line, needs }: KustomizeError): ProblemFacts {
  return {
    type: 'configuration',
    code: needs === undefined ? 'bad_value' : 'unsupported',
    message: reason,
    ...(needs === undefined
      ? {}
      : {
          suggestion: 'name a kustomize program that can: TEND_KUSTOMIZE=/usr/local/bin/kustomize',
        }),
    ...(file === undefined ? {} : { at: { file, line: line ?? 1, column: 1 } }),
  }
}
