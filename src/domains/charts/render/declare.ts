/** One manifest as a declaration: held against its schema, with its faults and its places. */
import type * as z from 'zod/mini'
import type { YamlPath } from '#formats/yaml/find-node.ts'
import type { YamlDocument } from '#formats/yaml/read-yaml.ts'
import { isRecord } from '#model/json.ts'
import type { Place, ProblemFacts } from '#model/problem.ts'
import { refOf } from '#model/ref.ts'
import type { DataOf, Declaration } from './declaration.ts'
import { examine, pathText } from '#formats/schema/examine.ts'
import { helmAnnotations } from './helm-annotations.ts'
import { metadata } from './schema/envelope.ts'
import { chartHints } from './schema/hints.ts'
import { manifestKinds, type ChartKind } from './schema/kinds.ts'
import { fieldsAt } from '#formats/schema/look-up.ts'
import { bad, type Fault } from '#formats/schema/rule.ts'
import { didYouMean } from '#formats/schema/suggestion.ts'
import type { RenderedFile } from './templates.ts'
import { textsOf } from './texts.ts'

export type Manifest = {
  readonly file: RenderedFile
  readonly document: YamlDocument
  readonly value: { readonly [key: string]: unknown }
}

/** `blank` stands in for required fields, so that the rest of an invalid resource is still looked at. */
export type KindRules<Kind extends ChartKind> = {
  readonly kind: Kind
  readonly schema: z.ZodMiniType<DataOf[Kind]>
  readonly blank: DataOf[Kind]
}

const fields = ['apiVersion', 'kind', 'metadata', 'spec']

export function declare<Kind extends ChartKind>(
  { kind, schema, blank }: KindRules<Kind>,
  manifest: Manifest,
  namespace: string | null,
  warnings: string[],
): Declaration<Kind> {
  const { file, document, value } = manifest
  const name = nameOf(manifest) ?? ''
  const ref = refOf(kind, name)
  const origin = file.placeOf(document.at)
  const found = new Map<string, ProblemFacts>()

  function report(path: YamlPath, fault: Fault, on: 'key' | 'value' = 'value'): void {
    const at = placeOf(path, on)
    const message = `${pathText(path)}: ${fault.message}`
    const { code, suggestion = seeSchema(kind, fault) } = fault
    const problem = { type: 'validation', code, message, ref, at, suggestion } as const
    if (!found.has(message)) found.set(message, problem)
  }
  function placeOf(path: YamlPath, on: 'key' | 'value'): Place {
    return file.placeOf(on === 'key' ? document.keyAt(path) : document.valueAt(path))
  }
  function textOf(path: YamlPath, scalar: string | number | boolean): string {
    return typeof scalar === 'string' ? scalar : (document.sourceOf(path) ?? String(scalar))
  }

  function isFaulty(text: string): boolean {
    return [...found.keys()].some(
      (message) => /^[:.[]/.test(message.slice(text.length)) && message.startsWith(text),
    )
  }

  for (const key of Object.keys(value).filter((one) => !fields.includes(one))) {
    const fault = {
      code: 'unknown_field',
      message: 'unknown field',
      suggestion: indented(schema, key) ?? didYouMean(key, fields),
    } as const
    report([key], fault, 'key')
  }
  const about = examine(metadata, value['metadata'] ?? {}, { name }, chartHints)
  for (const fault of about.faults) report(['metadata', ...fault.path], fault, fault.on)
  if (kind === 'secret' && /[-.]$/.test(name)) {
    report(
      ['metadata', 'name'],
      bad(`${name} is no name of a secret`, 'end it with a letter or digit'),
    )
  }
  for (const { key, fault } of helmAnnotations(kind, about.data?.annotations ?? {}))
    report(['metadata', 'annotations', key], fault, 'key')
  if (about.data?.annotations !== undefined) warnings.push(`${ref}: annotations have no effect`)

  const spec = examine(schema, value['spec'] ?? {}, blank, chartHints)
  for (const fault of spec.faults) report(['spec', ...fault.path], fault, fault.on)
  const below = (path: YamlPath): YamlPath => ['spec', ...spec.original(path)]

  return {
    ref,
    name,
    object: namespace === null ? name : `${namespace}-${name}`,
    labels: textsOf({ textOf }, ['metadata', 'labels'], about.data?.labels),
    origin,
    data: spec.data ?? blank,
    placeOf: (path, on = 'value') => placeOf(below(path), on),
    textOf: (path, scalar) => textOf(below(path), scalar),
    report: (path, fault, on) => report(below(path), fault, on),
    isFaulty: (path) => isFaulty(pathText(below(path))),
    problems: () => [...found.values()].toSorted(inOrder),
  }
}

/** The name, if it can be read at all; whether Podman takes it is another question. */
export function nameOf({ value }: Pick<Manifest, 'value'>): string | undefined {
  const { metadata: about } = value
  const name = isRecord(about) ? about['name'] : undefined
  return typeof name === 'string' && name.trim() !== '' ? name : undefined
}

/** A field that is known one level deeper is there by accident. */
function indented(schema: z.ZodMiniType, key: string): string | undefined {
  if (fieldsAt(schema, []).includes(key)) return 'indent it under spec'
  return fieldsAt(metadata, []).includes(key) ? 'indent it under metadata' : undefined
}

/** Where nothing better could be offered, the schema says what the form is. */
function seeSchema(kind: ChartKind, { code }: Fault): string {
  const see = `see: tend schema ${manifestKinds[kind]}`
  return code === 'missing_field' ? `add it; ${see}` : see
}

function inOrder(one: ProblemFacts, other: ProblemFacts): number {
  const [left, right] = [one.at, other.at]
  if (left === undefined || right === undefined) return 0
  return left.line - right.line || left.column - right.column
}
