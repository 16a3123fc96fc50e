/** What a provider's program wrote when it failed: plain lines, and the one that says why. Pure. */

// oxlint-disable-next-line no-control-regex
const colours = /\u001B\[[0-9;?]*[ -/]*[@-~]/g

/** The lines without colours, other control characters, empty lines and spaces at the ends. */
export function plainLines(text: string): readonly string[] {
  return text
    .replace(colours, '')
    .split('\n')
    .map((line) => line.replace(/\p{Cc}/gu, '').trim())
    .filter((line) => line !== '')
}

/** `ERRO[0013] …` of k3d, `ERROR: …` of kind, `Error: …` of kwokctl and of Docker. */
const complaint = /^(?:(?:ERRO|FATA)\[\d+\]\s*|(?:ERROR|Error|error):\s*)/
/** Lines that say what the program did after the failure, not what was wrong. */
const consequence = /rolling back|rolled back|rollback deactivated/i
const repeating = 'Command Output: '
/** Causes are chained, with the last one at the end. Of a long chain both ends are shown. */
const longest = 420
const firstPart = 120

/** kind repeats what its engine said, all of it: the container that could not be started comes before the reason. */
function repeatedIn(lines: readonly string[]): string | undefined {
  const first = lines.findIndex((line) => line.startsWith(repeating))
  if (first < 0) return undefined
  const said = lines.slice(first).map((line) => line.replace(repeating, ''))
  return said.find((line) => !/^[0-9a-f]{12,64}$/.test(line))
}

/** The first complaint with a reason tells the cause: what follows tells what was undone. */
export function causeIn(text: string): string {
  const lines = plainLines(text)
  const repeated = repeatedIn(lines)
  const complaints = lines.filter((line) => complaint.test(line) && !consequence.test(line))
  const first = complaints.find((line) => line.includes(': ')) ?? complaints[0]
  const cause = (repeated ?? first ?? lines.at(-1) ?? '').replace(complaint, '')
  if (cause.length <= longest) return cause
  return `${wholeWords(cause.slice(0, firstPart), / \S*$/)} … ${wholeWords(cause.slice(firstPart - longest), /^\S* /)}`
}

function wholeWords(part: string, cut: RegExp): string {
  return part.replace(cut, '')
}
