/** The lines of tend.yaml that leave an application's drift alone. */
import type { Application } from '#model/application.ts'
import { quoted } from '../overview/declaration-text.ts'

export function ignoreText({ kind, namespace, name }: Application): string {
  const place = namespace === null ? [] : [`    namespace: ${quoted(namespace)}`]
  return ['apps:', `  - ${kind}: ${quoted(name)}`, ...place, '    drift: ignore', ''].join('\n')
}
