/** How quickly Tend starts, in each form that people install. */
import assert from 'node:assert/strict'

/** What `tend --help` may take, as a multiple of a Node that does nothing. */
export const most = 1.2

/** For `node --eval`: prints that multiple. Both by turns, and the quickest of each counts: what else the machine does can only add to it. */
export function helpRatioScript(tend: string, node: string): string {
  return `const { spawnSync } = require('node:child_process')
  const took = (...words) => {
    const began = performance.now()
    if (spawnSync(words[0], words.slice(1)).status !== 0) throw new Error(words.join(' '))
    return performance.now() - began
  }
  const all = Array.from({ length: 60 }, () => [took('${tend}', '--help'), took('${node}', '-e', '0')])
  const [help, nothing] = [0, 1].map((one) => Math.min(...all.map((pair) => pair[one])))
  console.log(help / nothing)`
}

export function checkHelpRatio(form: string, printed: string, tell: (text: string) => void): void {
  const ratio = Number(printed)
  tell(`${form}: tend --help takes ${ratio.toFixed(2)} times as long as node -e 0`)
  assert.ok(ratio <= most, `${form}: ${printed}`)
}
