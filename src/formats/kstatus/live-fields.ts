/** Reading fields of a live object; whatever is missing or of another type counts as not there. */

export type Live = { readonly [key: string]: unknown }

export type Condition = {
  readonly type: string
  readonly status: string
  readonly reason: string
  readonly message: string
}

export function valueAt(object: unknown, path: readonly string[]): unknown {
  let value = object
  for (const name of path) {
    if (!isRecord(value) || !Object.hasOwn(value, name)) return undefined
    value = value[name]
  }
  return value
}

export function textAt(object: unknown, path: readonly string[], otherwise = ''): string {
  const value = valueAt(object, path)
  return typeof value === 'string' ? value : otherwise
}

export function numberAt(object: unknown, path: readonly string[]): number | undefined {
  const value = valueAt(object, path)
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined
}

export function listAt(object: unknown, path: readonly string[]): readonly unknown[] {
  const value = valueAt(object, path)
  return Array.isArray(value) ? value : []
}

export function conditionsOf(object: Live): readonly Condition[] {
  return listAt(object, ['status', 'conditions']).map((condition) => ({
    type: textAt(condition, ['type']),
    status: textAt(condition, ['status']),
    reason: textAt(condition, ['reason']),
    message: textAt(condition, ['message']),
  }))
}

function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
