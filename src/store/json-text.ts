/** Events and snapshots as text. */

/** A cause may be an error that nobody turned into words yet: its message is what is worth keeping. */
export function jsonText(value: object): string {
  return JSON.stringify(value, (_, part: unknown) => (part instanceof Error ? part.message : part))
}
