/** Finds what one resource names of another, or says why it can't. */
import type { YamlPath } from '#formats/yaml/find-node.ts'
import type { ChartContext } from './chart-context.ts'
import type { Declaration, Declarations } from './declaration.ts'
import { manifestKinds, type ChartKind } from './schema/kinds.ts'
import type { Fault } from '#formats/schema/rule.ts'
import { kinds } from '../spec.ts'

/** Undefined when it is not declared; the fault is reported then, unless a file could not be read: it may be there. */
export function findDeclared<Kind extends ChartKind>(
  context: Pick<ChartContext, 'declared' | 'isWhole'>,
  from: Declaration,
  path: YamlPath,
  kind: Kind,
  name: string,
): Declaration<Kind> | undefined {
  const found = context.declared[kind].get(name)
  if (found === undefined && context.isWhole)
    from.report(path, missing(context.declared, kind, name))
  return found
}

function missing(declared: Declarations, kind: ChartKind, name: string): Fault {
  const wanted = manifestKinds[kind]
  const known = [...declared[kind].keys()]
  const other = kinds.find((one) => one !== kind && declared[one].has(name))
  return {
    code: 'bad_reference',
    message:
      other === undefined
        ? `no ${wanted} named ${JSON.stringify(name)}`
        : `${JSON.stringify(name)} is a ${manifestKinds[other]}, not a ${wanted}`,
    suggestion:
      known.length > 0 ? `the chart declares: ${listed(known)}` : `the chart declares no ${wanted}`,
  }
}

function listed(names: readonly string[]): string {
  if (names.length <= 12) return names.join(', ')
  return `${names.slice(0, 12).join(', ')} and ${names.length - 12} more`
}
