/** Patterns without any sign of a pattern, as `web` or `^web$`: they are compared as texts, and the engine need not be loaded. */

/** Undefined where the pattern has more than plain letters between `^` and `$`. */
export function plainTest(source: string): ((text: string) => boolean) | undefined {
  const found = /^(\^?)([\w/:@=, -]*)(\$?)$/.exec(source)
  if (found === null) return undefined
  const [, begin, plain = '', end] = found
  if (begin === '') return (text) => (end === '' ? text.includes(plain) : text.endsWith(plain))
  return (text) => (end === '' ? text.startsWith(plain) : text === plain)
}
