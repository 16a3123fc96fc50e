/** The reference of docs/commands.md: the help of every verb, from the table that the program itself and the man pages read. */
import { verbHelp } from '#cli/arguments/help.ts'
import { verbs } from '#cli/arguments/verbs.ts'

export function commandsReference(): string {
  const parts = verbs.map(({ name }) => {
    const text = verbHelp(name).map((line) => line.trimEnd())
    return `\n### tend ${name}\n\n\`\`\`text\n${text.join('\n')}\n\`\`\`\n`
  })
  return parts.join('')
}
