/** What replacing side by side costs two clients that never stop: `node bench/charts/beside.ts [UPGRADES] ['a stack on Docker']`. */
import { besideOn, measureBeside } from '../../test/testbed/beside-clients.ts'

const upgrades = Number(process.argv[2] ?? 100)
const asked = process.argv[3] ?? 'a chart on Podman'
const what = isPlace(asked) ? asked : undefined
if (what === undefined) {
  console.error(`not ${asked}, but one of ${Object.keys(besideOn).join(', ')}`)
  process.exit(2)
}
const measured = await measureBeside(what, upgrades, { answer: 5, stop: 10 }, (line) =>
  console.error(line),
)
console.log(JSON.stringify(measured, undefined, 2))

function isPlace(word: string): word is keyof typeof besideOn {
  return Object.hasOwn(besideOn, word)
}
