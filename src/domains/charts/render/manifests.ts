/** From rendered texts to what they declare: every document read, every fault found, every name known. */
import { isRecord } from '#model/json.ts'
import { placeText, type Place, type ProblemFacts } from '#model/problem.ts'
import type { Declaration, Declarations } from './declaration.ts'
import { declare, nameOf, type KindRules, type Manifest } from './declare.ts'
import type { RenderedFile } from './templates.ts'
import { containerSchema } from './schema/container.ts'
import { apiVersions } from './schema/envelope.ts'
import { manifestKinds, type ChartKind } from './schema/kinds.ts'
import { networkSchema } from './schema/network.ts'
import { sameKind } from './schema/other-tools.ts'
import { podSchema } from './schema/pod.ts'
import { secretSchema } from './schema/secret.ts'
import { volumeSchema } from './schema/volume.ts'
import { kinds } from '../spec.ts'
import { didYouMean } from '#formats/schema/suggestion.ts'

export type Manifests = {
  readonly declared: Declarations
  /** In the order of the texts. */
  readonly order: readonly Declaration[]
  /** Of the chart, and of documents without a name. Those of resources are theirs. */
  readonly problems: readonly ProblemFacts[]
  readonly warnings: readonly string[]
  readonly isWhole: boolean
  readonly isIncomplete: boolean
}

export function readManifests(files: readonly RenderedFile[], namespace: string | null): Manifests {
  const declared = {
    network: new Map<string, Declaration<'network'>>(),
    volume: new Map<string, Declaration<'volume'>>(),
    secret: new Map<string, Declaration<'secret'>>(),
    pod: new Map<string, Declaration<'pod'>>(),
    container: new Map<string, Declaration<'container'>>(),
  }
  const order: Declaration[] = []
  const problems: ProblemFacts[] = []
  const warnings: string[] = []
  let [isWhole, isIncomplete] = [true, false]

  function add<Kind extends ChartKind>(
    known: Map<string, Declaration<Kind>>,
    declaration: Declaration<Kind>,
  ): void {
    const before = known.get(declaration.name)
    if (before !== undefined) problems.push(twice(before, declaration))
    else {
      known.set(declaration.name, declaration)
      order.push(declaration)
    }
  }
  function read(manifest: Manifest): void {
    const kind = kindOf(manifest)
    if (!isKind(kind)) {
      problems.push(kind)
      isIncomplete = true
      return
    }
    warnings.push(...apiVersionWarnings(manifest, kind))
    if (nameOf(manifest) === undefined) {
      problems.push(nameless(manifest))
      isIncomplete = true
      return
    }
    declareKind[kind](manifest)
  }
  function taking<Kind extends ChartKind>(
    known: Map<string, Declaration<Kind>>,
    rules: KindRules<Kind>,
  ): (manifest: Manifest) => void {
    return (manifest) => add(known, declare(rules, manifest, namespace, warnings))
  }
  const declareKind: Record<ChartKind, (manifest: Manifest) => void> = {
    network: taking(declared.network, { kind: 'network', schema: networkSchema, blank: {} }),
    volume: taking(declared.volume, { kind: 'volume', schema: volumeSchema, blank: {} }),
    secret: taking(declared.secret, { kind: 'secret', schema: secretSchema, blank: {} }),
    pod: taking(declared.pod, { kind: 'pod', schema: podSchema, blank: { containers: [] } }),
    container: taking(declared.container, {
      kind: 'container',
      schema: containerSchema,
      blank: { image: 'none' },
    }),
  }

  for (const file of files) {
    const { documents, errors } = file.yaml
    if (errors.length > 0) [isWhole, isIncomplete] = [false, true]
    problems.push(...errors.map((error) => yamlProblem(error.message, file.placeOf(error))))
    for (const document of documents) {
      const { value } = document
      if (value === null) continue
      if (isRecord(value)) read({ file, document, value })
      else {
        const message =
          'expected a manifest (apiVersion, kind, metadata, spec), found something else'
        problems.push(yamlProblem(message, file.placeOf(document.at)))
        isIncomplete = true
      }
    }
  }
  return { declared, order, problems, warnings, isWhole, isIncomplete }
}

function yamlProblem(message: string, at: Place): ProblemFacts {
  const suggestion = 'tend template shows what was rendered, with this error at its line'
  return { type: 'configuration', code: 'yaml_error', message, at, suggestion }
}

function isKind(kind: ChartKind | ProblemFacts): kind is ChartKind {
  return typeof kind === 'string'
}

function kindOf({ value, file, document }: Manifest): ChartKind | ProblemFacts {
  const written = value['kind']
  const spellings = Object.values(manifestKinds)
  const found = kinds.find((kind) => manifestKinds[kind] === written)
  if (found !== undefined) return found
  const isMissing = written === undefined || written === null
  return {
    type: 'configuration',
    code: 'unknown_kind',
    message: isMissing ? 'kind: is required, but missing' : `kind: unknown kind ${shown(written)}`,
    at: file.placeOf(isMissing ? document.at : document.valueAt(['kind'])),
    suggestion:
      (typeof written === 'string' ? kindMeant(written, spellings) : undefined) ??
      `known kinds: ${spellings.join(', ')}`,
  }
}

function kindMeant(written: string, spellings: readonly string[]): string | undefined {
  const same = sameKind.get(written.toLowerCase())
  if (same === undefined) return didYouMean(written, spellings)
  const isNear = same.toLowerCase().endsWith(written.toLowerCase())
  return isNear
    ? `did you mean ${same}?`
    : `that is Kubernetes'; the nearest here is ${same}: tend schema ${same} has its fields`
}

function shown(written: unknown): string {
  return typeof written === 'string' ? JSON.stringify(written) : '(not a string)'
}

function apiVersionWarnings(
  { value, file, document }: Manifest,
  kind: ChartKind,
): readonly string[] {
  const written = value['apiVersion']
  if (apiVersions.some((version) => version === written)) return []
  const at = placeText(file.placeOf(document.keyAt(['apiVersion'])))
  const what = written === undefined ? 'is missing' : `${shown(written)} is not known`
  return [
    `${at} apiVersion of this ${manifestKinds[kind]} ${what}; known: ${apiVersions.join(', ')}`,
  ]
}

function nameless({ file, document }: Manifest): ProblemFacts {
  return {
    type: 'validation',
    code: 'missing_field',
    message: 'metadata.name: is required, but missing or not a string',
    at: file.placeOf(document.keyAt(['metadata', 'name'])),
    suggestion:
      'nothing is removed in this run, because it is not known what this document stands for',
  }
}

function twice(first: Declaration, second: Declaration): ProblemFacts {
  return {
    type: 'configuration',
    code: 'duplicate_name',
    message: `metadata.name: ${second.ref} is declared twice (also at ${placeText(first.origin)})`,
    ref: second.ref,
    at: second.origin,
    suggestion: 'give one of them another name',
  }
}
