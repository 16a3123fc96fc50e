/** `tend explain CODE`: what a code of an error means, why it comes up, and what to do. */
import { codeHelp } from '#model/code-help.ts'
import { codes, type Code } from '#model/problem.ts'
import { closest } from '../arguments/closest.ts'
import type { Invocation } from '../arguments/invocation.ts'
import { usageProblem } from '../arguments/usage.ts'
import type { CommandContext } from '../session.ts'

export async function explain({ words }: Invocation, { screen }: CommandContext): Promise<number> {
  const [typed] = words
  const all = Object.keys(codes).filter(isCode)
  if (typed === undefined) {
    const width = Math.max(...all.map((code) => code.length))
    if (screen.format !== 'table') await screen.document({ codes: all.map(documentOf) })
    else screen.print(all.map((code) => `${code.padEnd(width)}  ${codeHelp[code].means}`))
    return 0
  }
  if (!isCode(typed)) throw unknownCode(typed, all)
  if (screen.format !== 'table') await screen.document(documentOf(typed))
  else {
    const { means, cause, cure } = codeHelp[typed]
    const { exit, http } = codes[typed]
    screen.print([
      `${typed}: ${means}`,
      `  Cause: ${cause}`,
      `  Cure:  ${cure}`,
      `  A command ends with ${exit}, the API answers ${http}.`,
    ])
  }
  return 0
}

function documentOf(code: Code) {
  return { code, ...codeHelp[code], ...codes[code] }
}

function isCode(text: string): text is Code {
  return Object.hasOwn(codes, text)
}

function unknownCode(typed: string, all: readonly string[]): Error {
  const meant = closest(typed, all)
  const suggestion =
    meant === undefined ? '`tend explain` lists all codes' : `did you mean ${meant}?`
  return usageProblem(`there is no code ${JSON.stringify(typed)}`, suggestion)
}
