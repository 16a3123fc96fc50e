/**
 * How quickly Tend starts, in each form that people install. The measure is processor time: what the launcher and all threads of the
 * program use, in user and in system, against what `node -e 0` uses. The clock says the same on a quiet machine and tells of other
 * programs on a busy one, so it is told and not judged.
 */
import assert from 'node:assert/strict'

/** What `tend --help` may use, as a multiple of a Node that does nothing. */
const most = 1.2

/** For `node --eval`: prints that multiple, and that of the middle times by the clock. Both are started by turns, a hundred times each. */
export function helpRatioScript(tend: string, node: string): string {
  return `const { readFileSync } = require('node:fs'), { spawnSync } = require('node:child_process')
  // of children that ended: the 16th and 17th field, in hundredths of a second
  const processor = () => {
    const fields = readFileSync('/proc/self/stat', 'latin1').split(') ')[1].split(' ')
    return Number(fields[13]) + Number(fields[14])
  }
  const measured = (...words) => ({ words, used: 0, times: [] })
  const all = [measured('${tend}', '--help'), measured('${node}', '-e', '0')]
  for (let turn = 0; turn < 20; turn += 1) {
    for (const one of all) {
      const before = processor()
      for (let times = 0; times < 5; times += 1) {
        const began = performance.now()
        if (spawnSync(one.words[0], one.words.slice(1), { stdio: 'ignore' }).status !== 0) throw new Error(one.words[0])
        one.times.push(performance.now() - began)
      }
      one.used += processor() - before
    }
  }
  const middle = ({ times }) => times.toSorted((a, b) => a - b)[times.length / 2]
  const [help, nothing] = all
  console.log(help.used / nothing.used, middle(help) / middle(nothing))`
}

export function checkHelpRatio(form: string, printed: string, tell: (text: string) => void): void {
  const [processor = Number.NaN, clock = Number.NaN] = printed.trim().split(' ').map(Number)
  tell(
    `${form}: tend --help uses ${processor.toFixed(2)} times the processor time of node -e 0, and takes ${clock.toFixed(2)} times as long by the clock`,
  )
  assert.ok(processor <= most, `${form}: ${processor} times the processor time, at most ${most}`)
}
