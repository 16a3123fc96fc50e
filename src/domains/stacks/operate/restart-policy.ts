/** When the engine starts a container again, as the file says it: `restart` before `deploy.restart_policy`. */
import { textOf } from '#model/read-json.ts'
import type { JsonRecord } from '#model/json.ts'
import type { RecordedService } from '../spec-of.ts'

export function restartPolicyOf({
  service,
}: Pick<RecordedService, 'service'>): JsonRecord | undefined {
  const [name = '', count] = textOf(service.restart).split(':')
  if (name !== '') return { Name: name, MaximumRetryCount: Number(count ?? 0) }
  const { restart_policy: policy = {} } = service.deploy ?? {}
  if (Object.keys(policy).length === 0) return undefined
  const words: Readonly<Record<string, string>> = { none: 'no', 'on-failure': 'on-failure' }
  const chosen = words[textOf(policy.condition)] ?? 'always'
  const most = chosen === 'on-failure' ? (policy.max_attempts ?? 0) : 0
  return { Name: chosen, MaximumRetryCount: most }
}
