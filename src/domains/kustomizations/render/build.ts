/** From files and a spec to plain objects: generated where there is no kustomization, built, decrypted, filled in, marked. Pure. */
import { recordOf } from '#model/read-json.ts'
import type { Files, Json, JsonObject } from '#formats/kustomize/build.ts'
import { fail, type FileLine } from '#formats/kustomize/error.ts'
import { withKustomization } from '#formats/kustomize/load/generated-kustomization.ts'
import { substitute } from '#formats/kustomize/transform/substitute.ts'
import { keyringOf, type Keyring } from '#formats/sops/decrypt.ts'
import { SopsError } from '#formats/sops/error.ts'
import { isRecord } from '#model/json.ts'
import { looksSecret } from '#model/looks-secret.ts'
import { decrypted, withDecryptedSources } from './decrypt.ts'
import { hasVariable, lineOf } from './line-of.ts'
import { buildTraced } from './trace-secrets.ts'
import type { KustomizationSpec } from '../spec.ts'
import { differing, type Tainted } from '../taint.ts'

/** What the spec only names, fetched from where it is kept. */
export type Surroundings = {
  /** Of `substituteFrom`, later ones over earlier ones; those in the spec itself come over them. */
  readonly variables: ReadonlyMap<string, string>
  /** Names of those that came from a Secret. */
  readonly secretVariables?: ReadonlySet<string>
  /** Key files of age, or single keys. */
  readonly ageKeys: readonly string[]
}

export type BuildInput = {
  readonly files: Files
  readonly spec: KustomizationSpec
  readonly surroundings: Surroundings
}

type Plain = { readonly object: JsonObject; readonly place: FileLine }
type Made = Plain & { readonly tainted: Tainted }

export type Built = {
  readonly objects: readonly Made[]
  readonly warnings: readonly string[]
}

/** Rejects with a KustomizeError. */
export async function buildObjects({ files, spec, surroundings }: BuildInput): Promise<Built> {
  const keyring = spec.decryption === undefined ? undefined : await ringOf(surroundings.ageKeys)
  const whole = withKustomization(files, spec.path)
  const { files: plainFiles, ...sources } =
    keyring === undefined
      ? { files: whole, patches: new Set<string>(), texts: [] }
      : await withDecryptedSources(whole, spec.path, keyring)
  const request = {
    files: plainFiles,
    path: spec.path,
    options: { reorder: 'none', loadRestrictor: 'LoadRestrictionsNone' },
    amendments: amendmentsOf(spec),
  } as const
  const { resources, warnings, tainted } = buildTraced(request, sources)
  const plain = await openedBy(keyring, resources, tainted)
  const filled = withVariables(plain, spec, surroundings, files)
  return { objects: filled.map((made) => ({ ...made, ...marked(made.object, spec) })), warnings }
}

async function ringOf(keys: readonly string[]): Promise<Keyring> {
  try {
    return await keyringOf(keys)
  } catch (error) {
    if (error instanceof SopsError) return fail(`an age key can't be read: ${error.message}`)
    throw error
  }
}

/** What was encrypted is a secret, whatever kind of object it stands in. */
async function openedBy(
  keyring: Keyring | undefined,
  resources: readonly Plain[],
  traced: readonly Tainted[],
): Promise<readonly Made[]> {
  const opened: Made[] = []
  for (const [index, { object, place }] of resources.entries()) {
    const plain = keyring === undefined ? object : await decrypted(object, place, keyring)
    const tainted = new Set(traced[index])
    if (plain !== object) for (const path of differing(plain, object)) tainted.add(path)
    opened.push({ object: plain, place, tainted })
  }
  return opened
}

function amendmentsOf(spec: KustomizationSpec) {
  return {
    namespace: spec.targetNamespace,
    namePrefix: spec.namePrefix,
    nameSuffix: spec.nameSuffix,
    buildMetadata: spec.buildMetadata,
    patches: spec.patches,
    components: spec.components,
    ignoresMissingComponents: spec.ignoreMissingComponents,
    images: spec.images,
  }
}

/** Strict, as Flux is: a variable without a value and without a default is a mistake. */
function withVariables(
  resources: readonly Made[],
  { postBuild }: KustomizationSpec,
  { variables: others, secretVariables = new Set() }: Surroundings,
  files: Files,
): readonly Made[] {
  const declared = Object.entries(postBuild.substitute)
  const variables = new Map([...others, ...declared])
  const secret = new Set(secretVariables)
  for (const [name] of declared) secret.delete(name)
  for (const [name, value] of variables) if (looksSecret(name, value)) secret.add(name)
  const isAlways = postBuild.substituteStrategy === 'Always'
  if (variables.size === 0 && !isAlways) return resources
  const exemption = 'kustomize.toolkit.fluxcd.io/substitute'
  const placeOf = (place: FileLine, name: string) => lineOf(files, place, hasVariable(name))
  const options = { isStrict: true, isAlways, exemption, placeOf, secret }
  const hiding = resources.map((one) => ({ ...one, isHidden: one.tainted.size > 0 }))
  const filled = substitute({ resources: hiding }, variables, options).resources
  return filled.map(({ object, place, stand }, index) => {
    const before = resources[index]?.tainted ?? new Set()
    const added = stand === undefined ? new Set<string>() : differing(object, stand)
    return { object, place, tainted: new Set([...before, ...added]) }
  })
}

/** Labels and annotations for all objects; what is there already is overwritten. */
function marked(object: JsonObject, { commonMetadata }: KustomizationSpec): Pick<Plain, 'object'> {
  const { labels, annotations } = commonMetadata
  const metadata = recordOf(object['metadata'])
  const added: Record<string, Json> = {}
  if (Object.keys(labels).length > 0) added['labels'] = withTexts(metadata['labels'], labels)
  if (Object.keys(annotations).length > 0) {
    added['annotations'] = withTexts(metadata['annotations'], annotations)
  }
  return { object: { ...object, metadata: { ...metadata, ...added } } }
}

/** What else is there stays, also what is no text: that is for the server to refuse. */
export function withTexts(there: Json | undefined, texts: Readonly<Record<string, string>>): Json {
  const isOther = there !== undefined && there !== null && !isRecord<Json>(there)
  return isOther ? there : { ...recordOf(there), ...texts }
}
