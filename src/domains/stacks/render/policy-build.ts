/** What the Dockerfile of a service asks of the host, told with its own line before anything is made. */
import { resolve } from 'node:path/posix'
import { isLocalContext } from '#formats/compose/load/paths.ts'
import type { Service } from '#formats/compose/schema/file.ts'
import { judgeDockerfile } from '../dockerfile/asks.ts'
import type { PlacedAsk } from './policy-ask.ts'
import type { Stage } from './stage.ts'

/** Which images are another's only the engine can tell, and it is asked before each build. */
export function* buildAsks(stage: Stage, { build }: Service): Iterable<PlacedAsk> {
  if (build === undefined) return
  const { context = '', dockerfile = '', dockerfile_inline: inline = '', args = {} } = build
  const path = ['build', inline === '' ? 'dockerfile' : 'dockerfile_inline']
  const file = resolve(context, dockerfile || 'Dockerfile')
  const text = inline === '' ? textAt(stage, context, file) : inline
  if (text === undefined) return
  const said = Object.entries(args).flatMap(([name, value]) =>
    value === null ? [] : [[name, String(value)] as const],
  )
  for (const { line, ...ask } of judgeDockerfile(text, Object.fromEntries(said)).asks) {
    yield { ...ask, path, ...(inline === '' ? { at: { file, line, column: 1 } } : {}) }
  }
}

/** Bytes; one that is larger is refused when it is built. */
const largest = 1024 * 1024

function textAt({ input }: Stage, context: string, file: string): string | undefined {
  if (context === '' || !isLocalContext(context)) return undefined
  const content = input.load.files.read(file)
  if (content === undefined || content.length > largest) return undefined
  return Buffer.from(content).toString('utf8')
}
