/** Runs a pattern on a text by following all ways at once: the time grows with both, never faster. */

export type Instruction =
  | { readonly op: 'letter'; readonly fits: (code: number) => boolean }
  | { readonly op: 'edge'; readonly fits: (before: number, after: number) => boolean }
  | { readonly op: 'fork'; readonly to: readonly [number, number] }
  | { readonly op: 'match' }

export type Program = Instruction[]

/** Whether the pattern occurs anywhere in the text. */
export function runs(program: Program, letters: readonly string[]): boolean {
  const codes = letters.map((letter) => letter.codePointAt(0)!)
  let current = new Set<number>()
  for (let at = 0; at <= codes.length; at++) {
    const [before, after] = [codes[at - 1] ?? -1, codes[at] ?? -1]
    if (reach(program, 0, current, before, after)) return true
    const next = new Set<number>()
    if (at === codes.length) return false
    const [nextBefore, nextAfter] = [codes[at]!, codes[at + 1] ?? -1]
    for (const place of current) {
      const step = program[place]!
      if (step.op !== 'letter' || !step.fits(codes[at]!)) continue
      if (reach(program, place + 1, next, nextBefore, nextAfter)) return true
    }
    current = next
  }
  return false
}

/** Adds all places that can be reached without a letter; true when one of them is the end. */
function reach(
  program: Program,
  start: number,
  places: Set<number>,
  before: number,
  after: number,
): boolean {
  const open = [start]
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (places.has(place)) continue
    places.add(place)
    const step = program[place]!
    if (step.op === 'match') return true
    if (step.op === 'fork') open.push(step.to[1], step.to[0])
    else if (step.op === 'edge' && step.fits(before, after)) open.push(place + 1)
  }
  return false
}
