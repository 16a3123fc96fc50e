/** Go's time layouts: the reference date cut into its elements. */

type Chunk = { readonly element: string; readonly text: string }

const elements =
  /January|Jan(?![a-z])|Monday|Mon(?![a-z])|MST|002|0[1-6]|15|1|2006|2|__2|_2(?!006)|3|4|5|PM|pm|-070000|-07:00:00|-0700|-07:00|-07|Z070000|Z07:00:00|Z0700|Z07:00|Z07|[.,](?:0+|9+)(?![0-9])/g

/** Literal text has an empty element. */
export function chunks(layout: string): Chunk[] {
  const found: Chunk[] = []
  let last = 0
  for (const match of layout.matchAll(elements)) {
    if (match.index > last) found.push({ element: '', text: layout.slice(last, match.index) })
    found.push({ element: match[0], text: match[0] })
    last = match.index + match[0].length
  }
  if (last < layout.length) found.push({ element: '', text: layout.slice(last) })
  return found
}

export function isFraction(element: string): boolean {
  return /^[.,][09]/.test(element)
}
