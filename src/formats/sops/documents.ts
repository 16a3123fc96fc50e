/** YAML and JSON files: their documents with the order of all values, decrypted in place. */
import { isMap, isNode, isScalar, isSeq, parseAllDocuments, Scalar, type Document } from 'yaml'
import { checkMac, Comment, newOpening, openValue, type Opening, type Plain } from './cipher.ts'
import type { OpenAge } from './age-keys.ts'
import { fail } from './error.ts'
import { dataKeyOf, readMetadata } from './metadata.ts'

export type Documents = readonly Document[]

/** All documents without their `sops` part, every value in plain. The digest over them is checked. */
export async function openDocuments(
  text: string,
  isJson: boolean,
  open?: OpenAge,
): Promise<Documents> {
  const parsed = parseAllDocuments(text, {
    intAsBigInt: !isJson,
    keepSourceTokens: false,
    schema: isJson ? 'json' : 'yaml-1.1',
    merge: false,
    prettyErrors: false,
    uniqueKeys: false,
  })
  const documents = Array.isArray(parsed) ? parsed : []
  if (documents.some((one) => one.errors.length > 0)) fail(`it is no ${isJson ? 'JSON' : 'YAML'}`)
  const noted = documents.find((one) => isMap(one.contents) && one.contents.has('sops'))
  if (noted === undefined) return fail('it has no sops part')
  const metadata = readMetadata(noted.toJS({ maxAliasCount: 100 }).sops)
  const opening = newOpening(await dataKeyOf(metadata, open), metadata)
  for (const document of documents) {
    // one without content has nothing to take away
    if (isMap(document.contents)) document.delete('sops')
    openNode(document.contents, [], opening)
  }
  checkMac(opening)
  return documents
}

function openNode(node: unknown, path: readonly string[], opening: Opening): void {
  if (isMap(node)) {
    openComments(node, path, opening)
    for (const { key, value } of node.items) {
      openComments(key, path, opening)
      openNode(value, [...path, isScalar(key) ? String(key.value) : String(key)], opening)
    }
  } else if (isSeq(node)) {
    openComments(node, path, opening)
    for (const item of node.items) openNode(item, path, opening)
    node.items = withoutComments(node.items)
  } else if (isScalar(node) && isPlain(node.value)) {
    openComments(node, path, opening)
    const before = node.value
    const after = openValue(before, path, opening)
    if (after !== before) write(node, after)
  }
}

/** Comments between the items of a list are items while they are encrypted. */
function withoutComments(items: readonly unknown[]): unknown[] {
  const kept: unknown[] = []
  let before: string[] = []
  for (const item of items) {
    if (isScalar(item) && item.value instanceof Comment) before.push(item.value.text)
    else {
      if (isNode(item) && before.length > 0) item.commentBefore = before.join('\n')
      before = []
      kept.push(item)
    }
  }
  return kept
}

function openComments(node: unknown, path: readonly string[], opening: Opening): void {
  if (!isNode(node)) return
  for (const name of ['commentBefore', 'comment'] as const) {
    const text = node[name]
    if (typeof text === 'string') node[name] = text.split('\n').map(plain).join('\n')
  }
  function plain(line: string): string {
    const value = line.startsWith('ENC[') ? openValue(line, path, opening) : line
    return value instanceof Comment ? value.text : line
  }
}

function write(node: Scalar, value: Plain): void {
  node.value = value
  delete node.source
  delete node.tag
  const isBlock = typeof value === 'string' && value.includes('\n')
  node.type = isBlock ? Scalar.BLOCK_LITERAL : Scalar.PLAIN
}

function isPlain(value: unknown): value is Plain {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value) || value instanceof Date
}

/** The documents as SOPS writes them: four spaces a level. */
export function yamlText(documents: Documents): string {
  const options = { indent: 4, lineWidth: 0, minContentWidth: 0 } as const
  return documents.map((one) => body(one).toString(options)).join('---\n')
}

function body(document: Document): Document {
  if (document.directives) document.directives.docStart = null
  return document
}

/** One object, with a tab a level. */
export function jsonText(documents: Documents): string {
  return `${jsonOf(documents[0]?.contents ?? null, '\n')}\n`
}

function jsonOf(node: unknown, line: string): string {
  const inner = `${line}\t`
  if (isMap(node)) {
    const items = node.items.map(({ key, value }) => {
      const name = quoted(isScalar(key) ? String(key.value) : '')
      return `${inner}${name}: ${jsonOf(value, inner)}`
    })
    return items.length === 0 ? '{}' : `{${items.join(',')}${line}}`
  }
  if (isSeq(node)) {
    const items = node.items.map((item) => `${inner}${jsonOf(item, inner)}`)
    return items.length === 0 ? '[]' : `[${items.join(',')}${line}]`
  }
  const value = isScalar(node) ? node.value : null
  return typeof value === 'string' ? quoted(value) : String(value)
}

/** As Go writes it: without signs that mean something in HTML. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
