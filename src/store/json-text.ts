/** Events and snapshots as text. */

/** Of a cause that is an error only the message is kept. */
export function jsonText(value: object): string {
  return JSON.stringify(value, (_, part: unknown) => (part instanceof Error ? part.message : part))
}
