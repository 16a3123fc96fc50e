/** The words of go-yaml for what the yaml package found wrong. */
import type { YAMLParseError } from 'yaml'

const words: Partial<Record<YAMLParseError['code'], string>> = {
  BLOCK_AS_IMPLICIT_KEY: 'mapping values are not allowed in this context',
  MULTILINE_IMPLICIT_KEY: "could not find expected ':'",
  TAB_AS_INDENT: 'found character that cannot start any token',
  BAD_SCALAR_START: 'found character that cannot start any token',
  BAD_DQ_ESCAPE: 'found unknown escape character',
  BAD_INDENT: 'did not find expected key',
  MISSING_CHAR: 'did not find expected node content',
  UNEXPECTED_TOKEN: 'did not find expected key',
  BLOCK_IN_FLOW: 'did not find expected node content',
}

/** Found while cutting the text into tokens: go-yaml counts these lines from 1, all others from 0. */
const scannerWords =
  /^(?:mapping values|block sequence|could not find|did not find expected comment|found )/

export function yamlProblem({ code, message, pos }: YAMLParseError, text: string): string {
  const said = wordsFor(code, message, text.slice(pos[0]))
  const line = text.slice(0, pos[0]).split('\n').length - 1
  const shown = line > 0 && scannerWords.test(said) ? line + 1 : line
  return `yaml: ${shown > 0 ? `line ${shown}: ` : ''}${said}`
}

function wordsFor(code: YAMLParseError['code'], message: string, rest: string): string {
  if (message.includes('Missing closing')) return 'found unexpected end of stream'
  if (message.includes('same line with key'))
    return 'block sequence entries are not allowed in this context'
  if (message.includes('block sequence may not')) return 'did not find expected key'
  if (message.includes('Block scalar header')) return 'did not find expected comment or line break'
  if (message.endsWith('at node end')) return "did not find expected '-' indicator"
  if (code === 'MULTILINE_IMPLICIT_KEY' && rest.startsWith('- ')) return 'did not find expected key'
  const flow = /Flow (map|sequence)/i.exec(message)?.[1]
  if (flow !== undefined) return `did not find expected ',' or '${flow === 'map' ? '}' : ']'}'`
  return words[code] ?? 'did not find expected key'
}
