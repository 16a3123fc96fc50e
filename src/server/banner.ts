/** The page of a few lines that the origin shows at `/`. */
import { escapeControls } from '#model/control-characters.ts'
import type { Caller } from './access/caller.ts'
import { visibleApps, visibleSources } from './access/scope.ts'
import type { RouteContext } from './routes/route-context.ts'

const letters = `
 _____              _
|_   _|__ _ __   __| |
  | |/ _ \\ '_ \\ / _\` |
  | |  __/ | | | (_| |
  |_|\\___|_| |_|\\__,_|
`

export function banner({ service, scope, projectName }: RouteContext, caller: Caller): string {
  const running = visibleApps(service, caller).reduce(
    (sum, { containers }) => sum + containers.running,
    0,
  )
  const [source] = visibleSources(service, caller)
  const lines = [letters, `  ${projectName}`, `  Running containers: ${running}`]
  if (source !== undefined) {
    lines.push(
      `  Repository: ${source.shown}`,
      `  Revision: ${source.ref}`,
      `  Deploy dir: ${scope.deployDir === '' ? '/' : scope.deployDir}`,
    )
  }
  return escapeControls(`${lines.join('\n')}\n`)
}
