/** Turns a kustomization into resources: built, variables filled in, signed by its owner, secrets sealed. Pure. */
import { recordOf } from '#model/read-json.ts'
import { kindsOf } from '#formats/manifest/api-kind.ts'
import type { Files } from '#formats/kustomize/build.ts'
import { KustomizeError, type Need as Unbuilt } from '#formats/kustomize/error.ts'
import type { Rendered } from '#model/domain.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Place, ProblemFacts } from '#model/problem.ts'
import type { Ref } from '#model/ref.ts'
import type { Need, Resource } from '#model/resource.ts'
import type { Value } from '#model/value.ts'
import { vaultOf } from '#model/vault.ts'
import { buildObjects, withTexts, type BuildInput } from './build.ts'
import { isKeyed, lineOf } from './line-of.ts'
import {
  isDefinition,
  isSecret,
  nameOfObject,
  namespaceRef,
  ownerLabels,
  refOfObject,
  wordsOfObject,
  type Owner,
} from '../object.ts'
import { sealed, type Fault } from './seal-secrets.ts'
import { inApplyOrder } from '../apply-stages.ts'
import { withSealed, type Tainted } from '../taint.ts'
import { defined } from '#model/defined.ts'

type KustomizationInput = BuildInput & {
  readonly owner: Owner
  readonly revision: string
  /** What digests of secrets are salted with. */
  readonly seed: Uint8Array
}

type Part = { readonly object: JsonRecord; readonly place: Place; readonly tainted: Tainted }

/** `unbuilt`: what only another program can build. */
type KustomizationRendered = Rendered & { readonly unbuilt?: Unbuilt | undefined }

/** All problems at once. Throws nothing but bugs. */
export async function renderKustomization(
  input: KustomizationInput,
): Promise<KustomizationRendered> {
  const secrets = new Map<string, Uint8Array>()
  const shared = { version: input.revision, vault: vaultOf(secrets, input.seed) }
  try {
    const { parts, warnings } = await partsOf(input)
    const twice = namedTwice(parts)
    const definers = definersOf(parts)
    const namespaces = new Set(parts.map(({ object }) => refOfObject(nameOfObject(object))))
    const resources = parts.map((part) =>
      resourceOf(part, input, secrets, (object) => needsOf(object, definers, namespaces)),
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
      unbuilt: error.needs,
    }
  }
}

async function partsOf(input: KustomizationInput) {
  const { objects, warnings } = await buildObjects(input)
  const parts = objects.map(({ object, place, tainted }): Part => {
    return { object: normal(object), place: { ...place, column: 1 }, tainted }
  })
  return { parts, warnings }
}

/** Without what only a server may say. */
function normal(object: JsonRecord): JsonRecord {
  const { status: _, ...rest } = object
  return isDefinition(nameOfObject(object)) ? object : rest
}

function resourceOf(
  { object, place, tainted }: Part,
  { owner, files, seed }: KustomizationInput,
  secrets: Map<string, Uint8Array>,
  needs: (object: JsonRecord) => readonly Need[],
): Resource {
  const name = nameOfObject(object)
  const ref = refOfObject(name)
  const metadata = recordOf(object['metadata'])
  const labels = withTexts(metadata['labels'], ownerLabels(owner))
  const signed = { ...object, metadata: { ...metadata, labels } }
  const shared = { ref, needs: needs(object), origin: place }
  const hide = (value: Value): Value => withSealed(value, tainted, ref, secrets, seed)
  if (!isSecret(name)) return { ...shared, spec: hide(signed), problems: [] }
  const { spec: whole, faults } = sealed(signed, ref, secrets)
  const spec = hide(whole)
  if (object['sops'] !== undefined) return { ...shared, spec, problems: [encrypted(ref, place)] }
  return { ...shared, spec, problems: unfit(faults, ref, place, files) }
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

/** All that is wrong with one Secret is one problem. */
function unfit(
  faults: readonly Fault[],
  ref: Ref,
  place: Place,
  files: Files,
): readonly ProblemFacts[] {
  const [first] = faults
  if (first === undefined) return []
  const lines = faults.map(({ key }) => lineOf(files, place, isKeyed(key)))
  const messages = faults.map(({ message }, index) => {
    return index === 0 ? message : `${message} (line ${defined(lines[index]).line})`
  })
  const suggestions = new Set(faults.map(({ suggestion }) => suggestion))
  return [
    {
      type: 'validation',
      code: 'bad_value',
      ref,
      at: defined(lines[0]),
      message: messages.join('; '),
      suggestion: [...suggestions].join('; '),
    },
  ]
}

function problemOf({ reason, file, line, needs }: KustomizeError): ProblemFacts {
  return {
    type: 'configuration',
    code: needs === undefined ? 'bad_value' : 'unsupported',
    message: reason,
    ...(needs === undefined ? {} : { suggestion: suggestionFor(needs) }),
    ...(file === undefined ? {} : { at: { file, line: line ?? 1, column: 1 } }),
  }
}

export function suggestionFor(needs: Unbuilt): string {
  return needs === 'remote'
    ? 'allow where it comes from: TEND_REMOTE_BASES=github.com/acme, or remoteBases: in tend.yaml'
    : 'name a kustomize program that can: TEND_KUSTOMIZE=/usr/local/bin/kustomize'
}
