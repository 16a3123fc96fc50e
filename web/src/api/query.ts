/** A query as text: names sorted as they are given, empty values left out. */

export type Query = Readonly<Record<string, string | number | boolean | undefined>>

export function queryText(query: Query): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') params.set(name, String(value))
  }
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}
