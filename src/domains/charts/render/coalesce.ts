/** How values of a chart, of its subcharts and of the user become one, by Helm's rules: what is given above wins. */
import { isList, isRecord } from '#model/json.ts'

/** Values while they are being merged; a map, because a key may be any text. */
export type Table = Map<string, unknown>

/** What merging needs to know of a chart. */
type Mergeable = {
  readonly name: string
  readonly values: Table
  readonly children: readonly Mergeable[]
}

/** `keepsNulls`: a null takes nothing away yet, because another merge follows. */
type MergeOptions = { readonly keepsNulls: boolean; warn(text: string): void }

/** A copy of its own: merging changes what it is given. */
export function tableOf(value: unknown): Table {
  return isRecord(value) ? new Map(entriesOf(value)) : new Map()
}

function entriesOf(value: object): [string, unknown][] {
  return Object.entries(value).map(([key, item]) => [key, innerOf(item)])
}

function innerOf(value: unknown): unknown {
  if (isList(value)) return value.map(innerOf)
  return isRecord(value) ? tableOf(value) : value
}

function isTable(value: unknown): value is Table {
  return value instanceof Map
}

export function copyOf(table: Table): Table {
  return new Map([...table].map(([key, value]) => [key, copyOfValue(value)]))
}

function copyOfValue(value: unknown): unknown {
  if (isList(value)) return value.map(copyOfValue)
  return isTable(value) ? copyOf(value) : value
}

export function plainOf(table: Table): { readonly [key: string]: unknown } {
  return Object.fromEntries([...table].map(([key, value]) => [key, plainValue(value)]))
}

function plainValue(value: unknown): unknown {
  if (isList(value)) return value.map(plainValue)
  return isTable(value) ? plainOf(value) : value
}

/** All values of a chart and its subcharts, below what the user gave. */
export function coalesced(chart: Mergeable, given: Table, options: MergeOptions): Table {
  const values = copyOf(given)
  coalesceChart(chart, values, chart.name, options)
  return values
}

function coalesceChart(chart: Mergeable, into: Table, path: string, options: MergeOptions): void {
  for (const [key, value] of copyOf(chart.values)) {
    const held = into.get(key)
    if (!into.has(key)) into.set(key, value)
    else if (held === null && !options.keepsNulls) into.delete(key)
    else if (isTable(held) && isTable(value)) {
      const isChild = chart.children.some(({ name }) => name === key)
      const keepsNulls = isChild || options.keepsNulls
      fillTable(held, value, `${path}.${key}`, { ...options, keepsNulls })
    } else if (isTable(held) && value !== null)
      options.warn(
        `${path}.${key}: the value is a map, and the chart's own, which is none, is left out`,
      )
  }
  for (const child of chart.children) {
    const held = into.get(child.name)
    const own = isTable(held) ? held : new Map<string, unknown>()
    if (held !== undefined && !isTable(held))
      options.warn(
        `${path}.${child.name} is no map: the subchart ${child.name} has its own values alone`,
      )
    into.set(child.name, own)
    shareGlobals(own, into, `${path}.${child.name}`, options)
    coalesceChart(child, own, `${path}.${child.name}`, options)
  }
}

/** What the table above has stays; what it lacks comes from below. */
export function fillTable(above: Table, below: Table, path: string, options: MergeOptions): void {
  const isSet = new Set([...below].filter(([, value]) => value !== null).map(([key]) => key))
  for (const [key, value] of above) if (value === null) below.set(key, null)
  for (const [key, value] of below) {
    const held = above.get(key)
    if (!above.has(key)) above.set(key, value)
    else if (held === null && !options.keepsNulls && isSet.has(key)) above.delete(key)
    else if (isTable(value) && isTable(held)) fillTable(held, value, `${path}.${key}`, options)
    else if (isTable(value) && held !== null)
      options.warn(`${path}.${key} is no map, and takes the place of a map of the chart`)
    else if (isTable(held) && value !== null && !isTable(value))
      options.warn(
        `${path}.${key} is a map, and takes the place of a value of the chart that is none`,
      )
  }
}

const globalKey = 'global'

/** What is below `global` reaches every subchart, and wins over what the subchart says there. */
function shareGlobals(child: Table, parent: Table, path: string, options: MergeOptions): void {
  const own = child.get(globalKey) ?? new Map<string, unknown>()
  const shared = parent.get(globalKey) ?? new Map<string, unknown>()
  if (!isTable(own) || !isTable(shared)) {
    options.warn(`${path}: global is no map, and is not shared`)
    return
  }
  for (const [key, value] of shared) {
    const held = own.get(key)
    if (!isTable(value)) {
      if (isTable(held)) options.warn(`${path}.global.${key} is a map, and stays`)
      else own.set(key, value)
      continue
    }
    // not deep, as in Helm: maps below are one and the same for all charts, and what one fills in all see
    const merged = new Map(value)
    if (isTable(held))
      fillTable(merged, held, `${path}.global.${key}`, { ...options, keepsNulls: true })
    else if (own.has(key)) {
      options.warn(`${path}.global.${key} is no map, and stays`)
      continue
    }
    own.set(key, merged)
  }
  child.set(globalKey, own)
}

/** The map at the end of a path of keys; undefined where there is none. */
export function tableAt(table: Table, path: readonly string[]): Table | undefined {
  let found: unknown = table
  for (const key of path) found = isTable(found) ? found.get(key) : undefined
  return isTable(found) ? found : undefined
}

/** What is no map at the end of a path of keys; undefined where there is none. */
export function valueAt(table: Table, path: readonly string[]): unknown {
  const found = tableAt(table, path.slice(0, -1))?.get(path.at(-1) ?? '')
  return isTable(found) ? undefined : found
}
