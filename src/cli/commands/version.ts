/** `tend version`: what this program is. */
import { about } from '../about.ts'
import type { Invocation } from '../arguments/invocation.ts'
import type { CommandContext } from '../session.ts'

export async function version(_: Invocation, { screen }: CommandContext): Promise<number> {
  const { document } = about()
  const { commit, date, node, platform } = document
  if (screen.format !== 'table') await screen.document(document)
  else {
    screen.print([
      `tend ${document.version}`,
      commit === null ? 'from source' : `commit ${commit}${date === null ? '' : ` of ${date}`}`,
      `Node ${node}, ${platform}`,
    ])
  }
  return 0
}
