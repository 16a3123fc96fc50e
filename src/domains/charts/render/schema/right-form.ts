/** One line of the right form for what is written in the form of another tool. */
import type { YamlPath } from '#formats/yaml/find-node.ts'
import { isRecord } from '#model/json.ts'

/** Names, paths and ports are said again; values of variables and arguments are not: they may be secret. */
export function rightForm(path: YamlPath, value: unknown): string | undefined {
  const [field, item] = path
  if (typeof field !== 'string' || path.length > 2 || typeof item === 'string') return undefined
  return forms.get(field)?.(value)
}

const forms: ReadonlyMap<string, (value: unknown) => string | undefined> = new Map([
  ['volumes', volumeForm],
  ['ports', portForm],
  ['secrets', secretForm],
  ['env', variableForm],
  ['command', wordsForm],
  ['args', wordsForm],
])

/** `[SOURCE:]TARGET[:OPTIONS]` */
function volumeForm(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const [, source = '', target, options = ''] =
    /^(?:([^:]+):)?(\/[^:,{}]*)(?::([\w,]+))?$/.exec(value) ?? []
  if (target === undefined) return undefined
  const readOnly = options.split(',').includes('ro') ? ', readOnly: true' : ''
  if (/^[\w][\w.-]*$/.test(source))
    return `write: - {name: ${source}, mountPath: ${target}${readOnly}}`
  const hostPath = source.startsWith('/') ? source : '/absolute/path'
  const declared = source === '' ? 'a CuteVolume' : `a CuteVolume with hostPath: ${hostPath}`
  return `write: - {name: NAME, mountPath: ${target}${readOnly}}, and declare ${declared} of that name`
}

/** `[[ADDRESS:]HOST:]CONTAINER[/PROTOCOL]` */
function portForm(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const [, hostIP, hostPort, containerPort, protocol] =
    /^(?:(?:([\d.]+):)?(\d*):)?(\d+)(?:\/(\w+))?$/.exec(String(value)) ?? []
  if (containerPort === undefined) return undefined
  const parts = [
    `containerPort: ${containerPort}`,
    ...(hostPort === undefined || hostPort === '' ? [] : [`hostPort: ${hostPort}`]),
    ...(hostIP === undefined ? [] : [`hostIP: ${hostIP}`]),
    ...(protocol === undefined ? [] : [`protocol: ${protocol.toUpperCase()}`]),
  ]
  return `write: - {${parts.join(', ')}}`
}

function secretForm(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\w[\w.-]*$/.test(value)) return undefined
  return `write: - {name: ${value}, env: true}`
}

/** A map of variables, or one `NAME=value`. */
function variableForm(value: unknown): string | undefined {
  const written = typeof value === 'string' ? value : ''
  const name = isRecord(value) ? Object.keys(value)[0] : /^(\w+)(?:=|$)/.exec(written)?.[1]
  if (name === undefined || !/^\w+$/.test(name)) return undefined
  return `write ${isRecord(value) ? 'a list' : 'it as'}: - {name: ${name}, value: "…"}`
}

function wordsForm(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const [first = '', second, ...others] = value.trim().split(/\s+/)
  if (first === '' || /["']/.test(first)) return undefined
  if (second === undefined) return `write: ["${first}"]`
  return second === '-c' && others.length > 0
    ? `write: ["${first}", "-c", "…"]`
    : `write: ["${first}", "…"]`
}
