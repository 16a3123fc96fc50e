/** A reason as a sentence of its own: it begins with a capital, unless its first word is a name (`container/web`, `db`: …) or a command to type (`tend login`). */
export function sentence(text: string): string {
  return /^(?!tend )[a-z]+('[a-z]+)?( |$)/.test(text) ? capital(text) : text
}

/** Of words that are known to begin with no name. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
