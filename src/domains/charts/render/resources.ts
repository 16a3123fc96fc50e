/** From declarations to resources: specs made, references followed, circles and shared ports found. */
import { isEncryptedProblem, keysAdvice } from '#domains/containers/encrypted-files.ts'
import { placeText, Problem, type ProblemFacts } from '#model/problem.ts'
import type { Need, Resource } from '#model/resource.ts'
import type { Sealed, Value } from '#model/value.ts'
import type { ChartContext } from './chart-context.ts'
import { chartSecrets, withTextsOfSecretsSealed, type ChartSecrets } from './chart-secrets.ts'
import type { ChartInput } from '../chart-input.ts'
import { containerSpec } from './container-spec.ts'
import { findCycles } from './cycle.ts'
import type { Declaration } from './declaration.ts'
import { hostPortProblems } from './host-ports.ts'
import type { Manifests } from './manifests.ts'
import { networkSpec } from './network-spec.ts'
import { findMembers } from './pod-members.ts'
import { podSpec } from './pod-spec.ts'
import { secretSpec } from './secret-spec.ts'
import { volumeSpec } from './volume-spec.ts'

export type Made = {
  readonly resources: readonly Resource[]
  /** Of the chart as a whole. */
  readonly problems: readonly ProblemFacts[]
  readonly warnings: readonly string[]
  readonly secrets: ReadonlyMap<string, Uint8Array>
  /** What no text may hold. */
  readonly known: ChartSecrets
}

/** `encrypted`: texts that came out of an encrypted file. */
type GivenValues = {
  readonly values: { readonly [key: string]: unknown }
  readonly encrypted: readonly string[]
}

type Part = { readonly spec: Value; readonly needs: readonly Need[] }

export function makeResources(
  manifests: Manifests,
  input: ChartInput,
  { values, encrypted }: GivenValues,
): Made {
  const secrets = new Map<string, Uint8Array>()
  const warnings: string[] = []
  const lists = input.policy ?? {}
  const before = chartSecrets(values, lists, encrypted)
  const context = contextOf(manifests, input, secrets, warnings, before)
  const { declared } = manifests
  const made = new Map<string, Part>()
  for (const network of declared.network.values()) {
    made.set(network.ref, { spec: networkSpec(network), needs: [] })
  }
  for (const volume of declared.volume.values()) {
    made.set(volume.ref, { spec: volumeSpec(volume, context), needs: [] })
  }
  for (const secret of declared.secret.values()) {
    made.set(secret.ref, { spec: secretSpec(secret, context), needs: [] })
  }
  for (const pod of declared.pod.values()) made.set(pod.ref, podSpec(pod, context))
  for (const container of declared.container.values()) {
    made.set(container.ref, containerSpec(container, context))
  }
  const held = heldPods(context)
  const known = chartSecrets(values, lists, encrypted, contentsOf(secrets))
  const resources = manifests.order
    .map((declaration) => resourceOf(declaration, made, held))
    .map((resource) =>
      withTextsOfSecretsSealed(resource, known, (id, text) => context.seal(id, text)),
    )
  const problems = [...hostPortProblems(context), ...cycleProblems(resources)]
  return { resources, problems, warnings: [...new Set(warnings)], secrets, known }
}

/** A file of variables or of a secret, in plain. */
function readOpened(path: string, { tree, opened }: ChartInput): Uint8Array | undefined {
  const content = tree.read(path)
  const plain = content === undefined ? undefined : (opened?.(path, content) ?? content)
  if (typeof plain !== 'string') return plain
  throw new Problem({
    type: 'configuration',
    code: 'bad_reference',
    message: `${path} ${plain}`,
    suggestion: isEncryptedProblem(plain) ? keysAdvice : undefined,
  })
}

/** Of the chart's secrets, not of single variables. */
function contentsOf(secrets: ReadonlyMap<string, Uint8Array>): readonly Uint8Array[] {
  return [...secrets].flatMap(([id, content]) => (id.startsWith('secret/') ? [content] : []))
}

function contextOf(
  manifests: Manifests,
  input: ChartInput,
  secrets: Map<string, Uint8Array>,
  warnings: string[],
  known: ChartSecrets,
): ChartContext {
  const mountCounts = new Map<string, number>()
  for (const { data } of manifests.declared.container.values()) {
    for (const { name } of data.volumes ?? [])
      mountCounts.set(name, (mountCounts.get(name) ?? 0) + 1)
  }
  function seal(id: string, content: Uint8Array | string): Sealed {
    secrets.set(id, typeof content === 'string' ? Buffer.from(content) : content)
    return { sealed: id }
  }
  return {
    declared: manifests.declared,
    isWhole: manifests.isWhole,
    memberships: findMembers(manifests),
    mountCounts,
    readFile: (path) => readOpened(path, input),
    environment: input.environment,
    seal,
    secrets: known,
    warn: (text) => void warnings.push(text),
  }
}

/**
 * A pod carries the ports and networks of its members. While one of them can't be read whole, the pod would be remade
 * without what that one asks for: it is left as it is instead.
 */
function heldPods(context: ChartContext): ReadonlyMap<string, ProblemFacts> {
  const held = new Map<string, ProblemFacts>()
  for (const { pod, container } of context.memberships.values()) {
    if (container.problems().length === 0 || held.has(pod.ref)) continue
    const message = `its member ${container.ref} has problems`
    const facts = { type: 'dependency', code: 'needs_failed', message, ref: pod.ref } as const
    held.set(pod.ref, { ...facts, at: container.origin })
  }
  return held
}

function resourceOf(
  declaration: Declaration,
  made: ReadonlyMap<string, Part>,
  held: ReadonlyMap<string, ProblemFacts>,
): Resource {
  const { ref, origin } = declaration
  const { spec, needs } = made.get(ref) ?? { spec: {}, needs: [] }
  const problem = held.get(ref)
  const problems = [...declaration.problems(), ...(problem === undefined ? [] : [problem])]
  return { ref, spec, needs, origin, problems }
}

function cycleProblems(resources: readonly Resource[]): readonly ProblemFacts[] {
  const origins = new Map(resources.map(({ ref, origin }) => [ref, origin]))
  return findCycles(resources).map((cycle) => ({
    type: 'configuration',
    code: 'cycle',
    message: `these wait for each other: ${cycle.join(' → ')}`,
    at: origins.get(cycle[0] ?? ''),
    suggestion: 'take one of these dependencies away',
    details: cycle.slice(0, -1).map((ref) => {
      const origin = origins.get(ref)
      return origin === undefined ? ref : `${ref} at ${placeText(origin)}`
    }),
  }))
}
