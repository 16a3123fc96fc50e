/** Rows that declare an application, for every kind that has them: shown, put and removed one by one. */
import { mask } from '#model/secret-shapes.ts'
import { allKinds } from '#kinds/all.ts'
import { keyOf } from '#model/application.ts'
import type { ApplicationKind } from '#model/application-kind.ts'
import type { Json, JsonRecord } from '#model/json.ts'
import * as z from 'zod/mini'
import { checkApp } from '../access/scope.ts'
import { json } from '../reply.ts'
import { route, type RouteRequest, type Route } from '../route.ts'
import { row, rowColumns, rowRemoval, rowsOf } from '../shapes/rows.ts'
import { shownValue } from '../shapes/shown-value.ts'
import type { RouteContext } from './route-context.ts'

const named = z.object({ name: z.string() })
const one = z.extend(named, { row: z.string() })
const put = z.object({ new: z.optional(z.enum(['true', 'false'])) })

export function rowRoutes(context: RouteContext): readonly Route[] {
  return allKinds.flatMap((kind) =>
    kind.rows === undefined ? [] : routesOf(context, kind, kind.rows),
  )
}

function routesOf(
  { service }: RouteContext,
  { name: kind, words }: ApplicationKind,
  { noun, plural }: NonNullable<ApplicationKind['rows']>,
): readonly Route[] {
  const base = `/api/v1/${words.plural}/{name}`
  const title = `${noun.slice(0, 1).toUpperCase()}${noun.slice(1)}`
  const answer = rowsOf(plural)

  /** The key of an application that the caller may use. */
  function keyFor(name: string, { caller, note }: RouteRequest): string {
    const key = keyOf({ kind, namespace: null, name })
    note.app = key
    checkApp(caller, key)
    return key
  }

  return [
    route({
      method: 'GET',
      path: base,
      access: 'read',
      name: `${kind}Rows`,
      summary: `Its ${plural}: each row with what was seen of it last. Nobody is asked`,
      params: named,
      answers: { 200: { says: 'All rows', body: answer } },
      async handle({ params: { name } }, asked) {
        const key = keyFor(name, asked)
        const { rows, refusal } = await service.rows(key)
        const told = { key, ...(refusal === undefined ? {} : { refusal }) }
        return json(answer, { ...told, [plural]: rows })
      },
    }),
    route({
      method: 'PUT',
      path: `${base}/${plural}/{row}`,
      access: 'sync',
      name: `put${title}`,
      summary: `A new ${noun}, or other values for one that is there: what is left out stays, null takes back; with new=true one that is there is refused. The run follows at once`,
      cost: 'dear',
      params: one,
      query: put,
      body: rowColumns,
      answers: { 200: { says: 'The row', body: row } },
      async handle({ params, query, body }, asked) {
        const key = keyFor(params.name, asked)
        asked.note.detail = detailOf(params.row, body)
        const how = { isNew: query.new === 'true', by: asked.caller.name }
        return json(row, await service.putRow(key, params.row, body, how))
      },
    }),
    route({
      method: 'DELETE',
      path: `${base}/${plural}/{row}`,
      access: 'sync',
      name: `remove${title}`,
      summary: `Marks it to be taken away by the run that follows; a row that nothing was made of goes at once`,
      cost: 'dear',
      params: one,
      answers: { 200: { says: 'What follows', body: rowRemoval } },
      async handle({ params }, asked) {
        const key = keyFor(params.name, asked)
        asked.note.detail = params.row
        return json(rowRemoval, await service.removeRow(key, params.row, asked.caller.name))
      },
    }),
  ]
}

/** `dev: http_port=18090, config` for the audit log: of what has fields of its own only the name. */
function detailOf(name: string, columns: JsonRecord): string {
  const told = Object.entries(columns).map(([column, value]) =>
    typeof value === 'object' && value !== null ? column : `${column}=${textOf(column, value)}`,
  )
  return told.length === 0 ? name : `${name}: ${told.join(', ')}`
}

function textOf(column: string, value: Json): string {
  // a path into what has fields of its own
  if (column.includes('.')) return mask
  const shown = shownValue(value, column)
  return typeof shown === 'object' ? '' : String(shown)
}
