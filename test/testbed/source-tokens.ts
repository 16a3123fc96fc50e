/** The tokens of a TypeScript file, as far as a test needs them: regular expressions told from divisions, texts and comments left out. */

export type SourceToken = {
  readonly kind: 'word' | 'sign' | 'text' | 'pattern'
  /** A text has only its quotes, and a template with values in it `\`${`. */
  readonly text: string
  readonly line: number
}

const blank = /\s+|\/\/[^\n]*|\/\*[^]*?\*\//y
const word = /[\p{L}\p{N}_$#]+/uy
const text = /'(?:[^'\\\n]|\\[^])*'|"(?:[^"\\\n]|\\[^])*"/y
const pattern = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y
/** After these a slash begins a regular expression. */
const before = new Set(
  'return typeof case do else in instanceof new void delete throw await yield of => && || ?? ( , = : [ ! & | ? { } ; + - * % < > ~ ^ == === != !== ... ${'.split(
    ' ',
  ),
)

export function tokensOf(source: string): readonly SourceToken[] {
  const tokens: SourceToken[] = []
  /** For each template that is open, how many braces are open in its value. */
  const templates: number[] = []
  let at = 0
  let line = 1
  const take = (form: RegExp): string | undefined => {
    form.lastIndex = at
    return form.exec(source)?.[0]
  }
  function push(kind: SourceToken['kind'], taken: string, shown = taken): void {
    tokens.push({ kind, text: shown, line })
    skip(taken)
  }
  function skip(taken: string): void {
    line += taken.split('\n').length - 1
    at += taken.length
  }
  /** From a backquote, or from the brace that ends a value, to the next value or to the end. */
  function template(): void {
    const start = at
    const isFirst = source[at] === '`'
    for (at++; at < source.length && source[at] !== '`'; at++) {
      if (source.startsWith('${', at)) {
        const taken = source.slice(start, at + 2)
        at = start
        if (isFirst) templates.push(0)
        else templates[templates.length - 1] = 0
        return push('sign', taken, '${')
      }
      if (source[at] === '\\') at++
    }
    const taken = source.slice(start, at + 1)
    at = start
    if (!isFirst) templates.pop()
    push('text', taken, isFirst ? '``' : '}`')
  }
  while (at < source.length) {
    const skipped = take(blank)
    const last = tokens.at(-1)
    const isStart = last === undefined || (last.kind !== 'text' && before.has(last.text))
    if (skipped !== undefined) skip(skipped)
    else if (source[at] === '`') template()
    else if (source[at] === '}' && templates.at(-1) === 0) template()
    else if (isStart && take(pattern) !== undefined) push('pattern', take(pattern)!)
    else if (take(text) !== undefined) push('text', take(text)!, "''")
    else if (take(word) !== undefined) push('word', take(word)!)
    else {
      const sign = source[at]!
      const depth = templates.length - 1
      if (depth >= 0) templates[depth]! += sign === '{' ? 1 : sign === '}' ? -1 : 0
      push('sign', sign)
    }
  }
  return tokens
}
