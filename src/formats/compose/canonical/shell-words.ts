/** A command line split into words the way a shell would, without running or expanding anything. */

/** Undefined when a quote, a bracket or an escape is left open. What follows `;`, `&`, `|`, `<` or `>` is dropped. */
export function splitWords(line: string): string[] | undefined {
  const words: string[] = []
  const state: State = {
    word: '',
    isWord: false,
    single: false,
    double: false,
    back: false,
    dollar: false,
  }
  let isEscaped = false
  for (const character of line) {
    if (isEscaped) {
      state.word += character
      state.isWord = true
      isEscaped = false
    } else if (character === '\\' && !state.single) {
      isEscaped = true
    } else if (' \t\r\n'.includes(character) && !isOpen(state)) {
      if (state.isWord) words.push(state.word)
      state.word = ''
      state.isWord = false
    } else {
      const next = take(state, character)
      if (next === 'bad') return undefined
      if (next === 'end') break
    }
  }
  if (isEscaped || isOpen(state)) return undefined
  return state.isWord ? [...words, state.word] : words
}

/** What has been opened: quotes, backticks, and `$(`. */
type State = {
  word: string
  isWord: boolean
  single: boolean
  double: boolean
  back: boolean
  dollar: boolean
}

function isOpen({ single, double, back, dollar }: State): boolean {
  return single || double || back || dollar
}

function take(state: State, character: string): 'bad' | 'end' | undefined {
  const { single, double, back, dollar } = state
  if (character === '"' && !single && !dollar) {
    if (double) state.isWord = true
    state.double = !double
    return undefined
  }
  if (character === "'" && !double && !dollar) {
    if (single) state.isWord = true
    state.single = !single
    return undefined
  }
  if (character === '(' && !single && !double && !back) {
    if (dollar || !state.word.endsWith('$')) return 'bad'
    state.dollar = true
    state.word += '('
    return undefined
  }
  if (character === '`' && !single && !double && !dollar) state.back = !back
  if (character === ')' && !single && !double && !back) state.dollar = !dollar
  if (';&|<>'.includes(character) && !isOpen(state)) {
    if (character === '>' && /^[0-9]/.test(state.word)) state.isWord = false
    return 'end'
  }
  if (!' \t\r\n'.includes(character)) state.isWord = true
  state.word += character
  return undefined
}
