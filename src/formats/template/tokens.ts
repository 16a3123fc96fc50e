/** The parser's view of the items: three of look-ahead, spaces skipped on demand, Go's complaints. */
import { runesOf, fromRunes } from './bytes.ts'
import type { Item, ItemType } from './item.ts'
import type { Lexer } from './lexer.ts'
import { quote } from './quote.ts'

export type Tokens = ReturnType<typeof tokens>

export function tokens(lex: Lexer, name: string, fail: (message: string) => never) {
  const blank: Item = { type: 'eof', pos: 0, value: '', line: 0 }
  const held: [Item, Item, Item] = [blank, blank, blank]
  let ahead = 0
  let actionLine = 0

  function next(): Item {
    if (ahead > 0) ahead--
    else held[0] = lex.next()
    return at(ahead)
  }
  function at(index: number): Item {
    return held[index === 1 ? 1 : index === 2 ? 2 : 0]
  }
  function peek(): Item {
    if (ahead > 0) return at(ahead - 1)
    ahead = 1
    held[0] = lex.next()
    return held[0]
  }
  function backup(): void {
    ahead++
  }
  function backupTwo(first: Item): void {
    held[1] = first
    ahead = 2
  }
  function backupThree(second: Item, first: Item): void {
    held[1] = first
    held[2] = second
    ahead = 3
  }
  function nextNonSpace(): Item {
    let item = next()
    while (item.type === 'space') item = next()
    return item
  }
  function peekNonSpace(): Item {
    const item = nextNonSpace()
    backup()
    return item
  }
  function expect(type: ItemType, context: string): Item {
    const item = nextNonSpace()
    return item.type === type ? item : unexpected(item, context)
  }
  function unexpected(item: Item, context: string): never {
    if (item.type !== 'error') return fail(`unexpected ${itemText(item)} in ${context}`)
    if (actionLine === 0 || actionLine === item.line) return fail(item.value)
    const within = item.value.endsWith(' action') ? '' : ' in action'
    return fail(`${item.value}${within} started at ${name}:${actionLine}`)
  }
  return {
    next,
    peek,
    backup,
    backupTwo,
    backupThree,
    nextNonSpace,
    peekNonSpace,
    expect,
    unexpected,
    line: () => held[0].line,
    startAction(line: number): void {
      actionLine = line
    },
  }
}

function itemText(item: Item): string {
  if (item.type === 'eof') return 'EOF'
  if (item.type === 'keyword' || item.type === 'dot' || item.type === 'nil')
    return `<${item.value}>`
  if (item.value.length <= 10) return quote(item.value)
  return `${quote(fromRunes(runesOf(item.value).slice(0, 10)))}...`
}
