/** The alert that an edit of tend.yaml is refused, and that it was mended. */
import type { SourceStatus } from '#model/service.ts'
import { cut, type Alert } from './alert.ts'
import type { Trouble } from './persistence.ts'

/** In the place of an application: no kind is called so. */
export const declarationsKey = 'declarations'

export function declarationsAlert(
  type: Alert['type'],
  status: SourceStatus | undefined,
  { since, failures }: Trouble,
  instance: string,
  at: number,
): Alert {
  const { message = '', suggestion = '' } = status?.problem ?? {}
  return {
    id: `${type}-${since}-${declarationsKey}`,
    type,
    app: declarationsKey,
    instance,
    reason: type === 'recovered' ? '' : cut(`${message} (${suggestion})`, 1000),
    failures,
    since,
    at,
    revision: '',
    message: '',
    source: status?.shown ?? '',
    target: '',
    details: [],
  }
}
