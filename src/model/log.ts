/** The port for what the service says of itself. */

export type Level = 'debug' | 'info' | 'warning' | 'error'

export type Log = (
  level: Level,
  message: string,
  fields?: Readonly<Record<string, string | number | boolean | undefined>>,
) => void
