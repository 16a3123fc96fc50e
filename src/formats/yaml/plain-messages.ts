/** What is wrong with a YAML text, in words for people who never read its specification. */

const words: readonly (readonly [RegExp, string])[] = [
  [/maximum call stack/i, 'nested too deeply'],
  [
    /^flow sequence .*end with a \]|expected flow sequence to end with \]/i,
    'this list begins with [ and has no ] (or a line of it is not indented)',
  ],
  [
    /^flow map.*end with a \}|expected flow map to end with \}/i,
    'this map begins with { and has no } (or a line of it is not indented)',
  ],
  [
    /^nested mappings are not allowed in compact mappings/i,
    'there is a second ": " on this line: put the text in quotes, or begin a new line',
  ],
  [/^implicit keys need to be on a single line/i, 'a key must be on one line, with ":" behind it'],
  [/^implicit map keys need to be followed by map values/i, 'there is no ":" behind this key'],
  [
    /^all mapping items must start at the same column/i,
    'the keys of one map must begin at the same column',
  ],
  [
    /^all sequence items must start at the same column/i,
    'the items of one list must begin at the same column',
  ],
  [
    /^a (block )?sequence may not be used as an implicit map key/i,
    'a list can not be a key; is a ":" or an indent missing before it?',
  ],
  [/^missing closing /i, 'a text begins with a quote and has none at its end'],
  [
    /^plain value cannot start with/i,
    'a text that begins with one of @ ` % & * ! | > must be in quotes',
  ],
]

/** Without the piece of text that some messages quote: it may be a secret. */
export function plainWords(message: string): string {
  const known = words.find(([pattern]) => pattern.test(message))?.[1]
  if (known !== undefined) return known
  return message.slice(0, 1).toLowerCase() + message.slice(1).replace(/: ".*$/s, '')
}
