/** A regular expression as instructions for the machine in match.ts. */
import { syntaxError, type Assertion, type Regex, type RuneTest } from './syntax.ts'

export type Instruction =
  | { readonly kind: 'match' }
  | { readonly kind: 'rune'; readonly test: RuneTest }
  | { readonly kind: 'assert'; readonly what: Assertion }
  | { readonly kind: 'save'; readonly slot: number }
  /** The first is tried first. */
  | { readonly kind: 'split'; first: number; second: number }
  | { readonly kind: 'jump'; to: number }

const longest = 100_000

/** Every instruction goes on to the next one, save split and jump. */
export function program(tree: Regex, source: string): readonly Instruction[] {
  const code: Instruction[] = []
  function emit<T extends Instruction>(instruction: T): T {
    if (code.length >= longest) throw syntaxError('expression too large', source)
    code.push(instruction)
    return instruction
  }
  function looped(part: Regex, isGreedy: boolean): void {
    const split = emit({ kind: 'split', first: 0, second: 0 })
    const at = code.length - 1
    compile(part)
    emit({ kind: 'jump', to: at })
    aim(split, at + 1, code.length, isGreedy)
  }
  function compile(part: Regex): void {
    switch (part.kind) {
      case 'empty':
        return
      case 'rune':
        emit({ kind: 'rune', test: part.test })
        return
      case 'assert':
        emit({ kind: 'assert', what: part.what })
        return
      case 'concat':
        part.parts.forEach(compile)
        return
      case 'alternate':
        alternate(part.parts)
        return
      case 'capture':
        emit({ kind: 'save', slot: part.index * 2 })
        compile(part.part)
        emit({ kind: 'save', slot: part.index * 2 + 1 })
        return
      case 'repeat': {
        for (let count = 0; count < part.min; count++) compile(part.part)
        if (part.max === undefined) looped(part.part, part.isGreedy)
        else nestedOptionals(part.part, part.max - part.min, part.isGreedy)
      }
    }
  }
  /** x{0,3} is (x(x(x)?)?)?: the rest is tried only after the one before. */
  function nestedOptionals(part: Regex, count: number, isGreedy: boolean): void {
    const splits: { readonly split: Split; readonly body: number }[] = []
    for (let index = 0; index < count; index++) {
      const split = emit({ kind: 'split' as const, first: 0, second: 0 })
      splits.push({ split, body: code.length })
      compile(part)
    }
    for (const { split, body } of splits) aim(split, body, code.length, isGreedy)
  }
  function alternate(parts: readonly Regex[]): void {
    const ends: { to: number }[] = []
    parts.forEach((part, index) => {
      if (index === parts.length - 1) return compile(part)
      const split = emit({ kind: 'split' as const, first: code.length + 1, second: 0 })
      compile(part)
      ends.push(emit({ kind: 'jump' as const, to: 0 }))
      split.second = code.length
    })
    for (const end of ends) end.to = code.length
  }
  compile({ kind: 'capture', index: 0, part: tree })
  emit({ kind: 'match' })
  return code
}

type Split = { first: number; second: number }

function aim(split: Split, body: number, after: number, isGreedy: boolean): void {
  split.first = isGreedy ? body : after
  split.second = isGreedy ? after : body
}
