/** How quickly Tend starts, in each form that people install. */
import assert from 'node:assert/strict'

/** What `tend --help` may take, as a multiple of a Node that does nothing. */
const most = 1.2

/**
 * For `node --eval`: prints that multiple twice, of processor time and of the quickest by the clock. Both programs are started many
 * times by turns, so that what else the machine does befalls both.
 */
export function helpRatioScript(tend: string, node: string): string {
  return `const { readFileSync } = require('node:fs'), { spawnSync } = require('node:child_process')
  // of children that ended: the 16th and 17th field, in hundredths of a second
  const processor = () => {
    const fields = readFileSync('/proc/self/stat', 'latin1').split(') ')[1].split(' ')
    return Number(fields[13]) + Number(fields[14])
  }
  const measured = (...words) => ({ words, used: 0, quickest: Infinity })
  const all = [measured('${tend}', '--help'), measured('${node}', '-e', '0')]
  for (let turn = 0; turn < 12; turn += 1) {
    for (const one of all) {
      const before = processor()
      for (let times = 0; times < 10; times += 1) {
        const began = performance.now()
        if (spawnSync(one.words[0], one.words.slice(1), { stdio: 'ignore' }).status !== 0) throw new Error(one.words[0])
        one.quickest = Math.min(one.quickest, performance.now() - began)
      }
      one.used += processor() - before
    }
  }
  const [help, nothing] = all
  console.log(help.used / nothing.used, help.quickest / nothing.quickest)`
}

/** On a busy machine the clock tells of the machine; processor time tells of the program. */
export function checkHelpRatio(form: string, printed: string, tell: (text: string) => void): void {
  const [processor = Number.NaN, clock = Number.NaN] = printed.trim().split(' ').map(Number)
  tell(
    `${form}: tend --help takes ${processor.toFixed(2)} times the processor time of node -e 0, ${clock.toFixed(2)} times as long by the clock`,
  )
  assert.ok(Math.min(processor, clock) <= most, `${form}: ${printed}`)
}
