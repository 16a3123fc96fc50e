/** The words of go-yaml for what the yaml package found wrong, and the line that go-yaml would name. */
import type { YAMLParseError } from 'yaml'

type GoYamlMessage = {
  readonly words: string
  /** Lines from 0. */
  readonly line: number
}

/** Found while cutting the text into tokens: go-yaml counts these lines from 1, all others from 0. */
const scannerWords =
  /^(?:mapping values|block sequence|could not find|did not find expected comment|found )/

export function yamlProblem(problem: YAMLParseError, text: string, isList: boolean): string {
  const { words, line } = said(problem, text.endsWith('\n') ? text : `${text}\n`, isList)
  const shown = line > 0 && scannerWords.test(words) ? line + 1 : line
  return `yaml: ${shown > 0 ? `line ${shown}: ` : ''}${words}`
}

function said(
  { code, message, pos: [start] }: YAMLParseError,
  text: string,
  isList: boolean,
): GoYamlMessage {
  const rest = text.slice(start)
  const line = linesBefore(text, start)
  const has = (part: string) => message.includes(part)
  if (has('Missing closing')) return { words: 'found unexpected end of stream', line }
  if (has('Implicit map keys need')) {
    return { words: "could not find expected ':'", line: nextContent(text, line) }
  }
  if (code === 'MULTILINE_IMPLICIT_KEY' && rest.startsWith('- '))
    return { words: expectedKey, line }
  if (code === 'MULTILINE_IMPLICIT_KEY' || has('Nested mappings')) {
    const colon = start + Math.max(rest.search(/:(?:\s|$)/), 0)
    return {
      words: 'mapping values are not allowed in this context',
      line: linesBefore(text, colon),
    }
  }
  if (has('Missing directives-end')) {
    return { words: 'found unknown directive name', line: linesBefore(text, text.search(/^%/m)) }
  }
  if (has('same line with key'))
    return { words: 'block sequence entries are not allowed in this context', line }
  if (has('Block scalar header'))
    return { words: 'did not find expected comment or line break', line }
  if (has('Sequence item without') || (has('at node end') && isList)) {
    return { words: "did not find expected '-' indicator", line }
  }
  if (code === 'TAB_AS_INDENT') return { words: tabWords(text, line), line }
  if (code === 'BLOCK_IN_FLOW') return { words: unclosed(text.slice(0, start)), line }
  if (/flow (?:map|sequence)/i.test(message)) return unclosedFlow(message, text, start)
  if (has('flow indicator')) return { words: noContent, line }
  if (has('flow-map-end') || has('flow-seq-end')) {
    const isValueMissing = text.slice(0, start).trimEnd().endsWith(':')
    return { words: isValueMissing ? noContent : expectedKey, line }
  }
  return { words: words[code] ?? expectedKey, line }
}

const expectedKey = 'did not find expected key'
const noContent = 'did not find expected node content'
const noToken = 'found character that cannot start any token'

const words: Partial<Record<YAMLParseError['code'], string>> = {
  BAD_SCALAR_START: noToken,
  BAD_DQ_ESCAPE: 'found unknown escape character',
  MISSING_CHAR: noContent,
}

function linesBefore(text: string, position: number): number {
  return text.slice(0, Math.max(position, 0)).split('\n').length - 1
}

/** A key without its colon is noticed at the next thing that stands there. */
function nextContent(text: string, line: number): number {
  const lines = text.split('\n')
  const next = lines.findIndex((each, index) => index > line && each.trim() !== '')
  return next < 0 ? lines.length - 1 : next
}

/** Under a value a tab breaks the indentation, elsewhere it starts nothing. */
function tabWords(text: string, line: number): string {
  const before = (text.split('\n')[line - 1] ?? ':').trimEnd()
  return before.endsWith(':') ? noToken : 'found a tab character that violates indentation'
}

function unclosed(before: string): string {
  const isMap = before.lastIndexOf('{') > before.lastIndexOf('[')
  return `did not find expected ',' or '${isMap ? '}' : ']'}'`
}

/** At the end of the text the end is named, otherwise the line that does not belong. */
function unclosedFlow(message: string, text: string, start: number): GoYamlMessage {
  const isAtEnd = start >= text.trimEnd().length
  const line = linesBefore(text, isAtEnd ? text.length : start)
  if (isAtEnd && /[[{,]$/.test(text.trimEnd())) return { words: noContent, line }
  const isMap = /flow map/i.test(message)
  return { words: `did not find expected ',' or '${isMap ? '}' : ']'}'`, line }
}
