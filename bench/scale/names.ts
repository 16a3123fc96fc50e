/** Names of applications of the toy kind, which are letters: aaaa, aaab, … */
export function nameOf(index: number): string {
  let [rest, name] = [index, '']
  for (let place = 0; place < 4; place += 1) {
    name = String.fromCharCode(97 + (rest % 26)) + name
    rest = Math.floor(rest / 26)
  }
  return name
}
