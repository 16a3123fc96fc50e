/** Which page an address names. */

export type Place =
  | { readonly page: 'overview' }
  | { readonly page: 'app'; readonly key: string; readonly tab: string }
  | { readonly page: 'plan'; readonly id: string }
  | { readonly page: 'timeline' }
  | { readonly page: 'sources' }
  | { readonly page: 'targets' }
  | { readonly page: 'fleets'; readonly name: string | undefined }
  | { readonly page: 'start' }
  | { readonly page: 'unknown' }

const tabs = new Set(['', 'plan', 'drift', 'history', 'logs', 'timeline'])

export function placeOf(path: string): Place {
  const [first = '', second, third = '', ...rest] = path
    .replace(/^\//, '')
    .replace(/\/$/, '')
    .split('/')
    .map(decoded)
  if (rest.length > 0) return { page: 'unknown' }
  if (first === '' || (first === 'apps' && second === undefined)) return { page: 'overview' }
  if (first === 'apps' && second !== undefined && tabs.has(third)) {
    return { page: 'app', key: second, tab: third }
  }
  if (third !== '') return { page: 'unknown' }
  if (first === 'plans' && second !== undefined) return { page: 'plan', id: second }
  if (first === 'fleets') return { page: 'fleets', name: second }
  if (second !== undefined) return { page: 'unknown' }
  switch (first) {
    case 'timeline':
    case 'sources':
    case 'targets':
    case 'start':
      return { page: first }
    default:
      return { page: 'unknown' }
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // a lone % is no code: it stands for itself
    return text
  }
}
