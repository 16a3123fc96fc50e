/** Annotations that make Helm do something, which nothing here does: said, and never passed over. */
import type { Fault } from '#formats/schema/rule.ts'
import type { ChartKind } from './schema/kinds.ts'

type Annotated = { readonly key: string; readonly fault: Fault }

export function helmAnnotations(
  kind: ChartKind,
  annotations: Readonly<Record<string, unknown>>,
): readonly Annotated[] {
  return Object.entries(annotations).flatMap(([key, value]) => {
    const told = faultOf(kind, key, String(value))
    return told === undefined ? [] : [{ key, fault: { code: 'bad_value', ...told } }]
  })
}

function faultOf(
  kind: ChartKind,
  key: string,
  value: string,
): Pick<Fault, 'message' | 'suggestion'> | undefined {
  if (key === 'helm.sh/hook')
    return {
      message: `the hook ${value} is not run as one`,
      suggestion: value.includes('test')
        ? 'take the file out of templates/: a test is not part of what runs'
        : 'without this line it runs like any other; what is to wait for it says dependsOn: [{name: …, condition: completed}]',
    }
  if (key.startsWith('helm.sh/hook-'))
    return { message: 'there are no hooks here', suggestion: 'take the line away' }
  if (key === 'helm.sh/resource-policy' && kind !== 'volume')
    return {
      message: 'only volumes are kept when they are no longer declared',
      suggestion: 'take the line away',
    }
  return undefined
}
