/** The page of a few lines that the origin shows at `/`. */
import type { Desk } from './routes/desk.ts'

const letters = `
 _____              _
|_   _|__ _ __   __| |
  | |/ _ \\ '_ \\ / _\` |
  | |  __/ | | | (_| |
  |_|\\___|_| |_|\\__,_|
`

export function banner({ service, scope, projectName }: Desk): string {
  const running = service.apps().reduce((sum, { containers }) => sum + containers.running, 0)
  const [source] = service.sources()
  const lines = [letters, `  ${projectName}`, `  Running containers: ${running}`]
  if (source !== undefined) {
    lines.push(
      `  Repository: ${source.shown}`,
      `  Revision: ${source.ref}`,
      `  Deploy dir: ${scope.deployDir === '' ? '/' : scope.deployDir}`,
    )
  }
  return `${lines.join('\n')}\n`
}
