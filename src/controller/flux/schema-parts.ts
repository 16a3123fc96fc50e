/** The few words that definitions of kinds are written in. */
import type { JsonRecord } from '#model/json.ts'

export const text: JsonRecord = { type: 'string' }
export const flag: JsonRecord = { type: 'boolean' }
export const whole: JsonRecord = { type: 'integer', format: 'int64' }
export const time: JsonRecord = { type: 'string', format: 'date-time' }
export const duration: JsonRecord = {
  type: 'string',
  pattern: '^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$',
}
export const texts: JsonRecord = { type: 'object', additionalProperties: text }
export const listOfTexts: JsonRecord = { type: 'array', items: text }

export function shortText(most: number): JsonRecord {
  return { type: 'string', minLength: 1, maxLength: most }
}

export function oneOf(...words: readonly string[]): JsonRecord {
  return { type: 'string', enum: words }
}

export function listOf(items: JsonRecord): JsonRecord {
  return { type: 'array', items }
}

export function object(properties: JsonRecord, ...required: readonly string[]): JsonRecord {
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }) }
}

export const named = object({ name: text }, 'name')
export const selector = object({
  group: text,
  version: text,
  kind: text,
  namespace: text,
  name: text,
  labelSelector: text,
  annotationSelector: text,
})

export const conditions = listOf(
  object(
    {
      type: text,
      status: oneOf('True', 'False', 'Unknown'),
      reason: text,
      message: { type: 'string', maxLength: 32_768 },
      lastTransitionTime: time,
      observedGeneration: whole,
    },
    'type',
    'status',
    'reason',
    'message',
    'lastTransitionTime',
  ),
)

type Column = { readonly name: string; readonly type: string; readonly jsonPath: string }

const ready = `.status.conditions[?(@.type=="Ready")]`

export const age: Column = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }
export const readyColumns: readonly Column[] = [
  { name: 'Ready', type: 'string', jsonPath: `${ready}.status` },
  { name: 'Status', type: 'string', jsonPath: `${ready}.message` },
]

/** A definition of a kind with one version, v1, and a status of its own. */
export function definition(
  group: string,
  names: JsonRecord & { readonly plural: string },
  columns: readonly Column[],
  about: string,
  spec: JsonRecord,
  status: JsonRecord,
): JsonRecord {
  const schema = object({
    apiVersion: text,
    kind: text,
    metadata: { type: 'object' },
    spec,
    status,
  })
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${names.plural}.${group}`,
      labels: { 'app.kubernetes.io/part-of': 'tend' },
    },
    spec: {
      group,
      names,
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          additionalPrinterColumns: columns.map((column) => ({ ...column })),
          schema: { openAPIV3Schema: { description: about, ...schema } },
          subresources: { status: {} },
        },
      ],
    },
  }
}
