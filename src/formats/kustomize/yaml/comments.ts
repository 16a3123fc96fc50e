/** Finds comments in YAML text and hangs them on the nodes they belong to, so that printing can keep them. */
import { Lexer } from 'yaml'
import type { Node } from './node.ts'
import { defined } from '#model/defined.ts'

/** Comments at the end of a line belong to what stands on it, those on lines of their own to what follows. */
export function withComments(root: Node, text: string): Node {
  const found = commentsIn(text)
  if (found.size > 0) hang(root, found)
  return root
}

type CommentsByLine = Map<number, { readonly text: string; readonly isAlone: boolean }>

/** By line, counted from one. */
function commentsIn(text: string): CommentsByLine {
  const found: CommentsByLine = new Map()
  let line = 1
  let isAlone = true
  for (const piece of new Lexer().lex(text)) {
    if (piece.startsWith('#')) found.set(line, { text: piece, isAlone })
    const breaks = piece.split('\n').length - 1
    line += breaks
    if (breaks > 0) isAlone = true
    else if (piece.trimStart().charCodeAt(0) > 32) isAlone = false
  }
  return found
}

function hang(node: Node, found: CommentsByLine): void {
  if (node.kind === 'map') {
    for (let i = 0; i < node.content.length; i += 2) {
      const [key, value] = [defined(node.content[i]), defined(node.content[i + 1])]
      takeHead(key, found)
      takeLine(value, key.line, found)
      hang(value, found)
    }
  } else if (node.kind === 'list') {
    for (const item of node.content) {
      takeHead(item, found)
      if (item.kind === 'scalar') takeLine(item, item.line, found)
      hang(item, found)
    }
  }
}

/** Lines of comment right above, without an empty line between. */
function takeHead(node: Node, found: CommentsByLine): void {
  const lines: string[] = []
  for (let line = node.line - 1; found.get(line)?.isAlone === true; line--) {
    lines.unshift(defined(found.get(line)).text)
    found.delete(line)
  }
  if (lines.length === 0) return
  node.comments = { head: lines.join('\n'), line: node.comments?.line ?? '', foot: '' }
}

function takeLine(node: Node, line: number, found: CommentsByLine): void {
  const comment = found.get(line)
  if (comment === undefined || comment.isAlone) return
  found.delete(line)
  node.comments = { head: node.comments?.head ?? '', line: comment.text, foot: '' }
}
