/** The OpenAPI 3.1 document, from the same table that requests are served by. */
import * as z from 'zod/mini'
import { originErrorSchema, problemSchema } from './problem-answer.ts'
import type { Route, DocumentedAnswer } from './route.ts'
import * as model from './shapes/model.ts'
import * as origin from './shapes/origin.ts'
import { tokenSchema } from './access/tokens.ts'

type Data = Readonly<Record<string, unknown>>

const named = {
  App: model.app,
  SyncAnswer: model.syncAnswer,
  Container: model.container,
  Source: model.source,
  Run: model.run,
  Event: model.event,
  Plan: model.plan,
  Diff: model.diff,
  ProblemFacts: model.problemFacts,
  Token: tokenSchema,
  Problem: problemSchema,
  StackRecord: origin.stackRecord,
  RefreshSnapshot: origin.refreshSnapshot,
  StackContainer: origin.originContainer,
  OriginError: originErrorSchema,
}

export function openApiOf(routes: readonly Route[]): Data {
  const paths: Record<string, Record<string, Data>> = {}
  for (const route of routes) {
    const path = route.path.replace('*}', '}')
    paths[path] ??= {}
    paths[path][route.method.toLowerCase()] = operationOf(route)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tend',
      version: '1',
      description:
        'What runs, what should run, and what can be asked. Paths outside /api/v1 are those of docker-cd.',
    },
    components: {
      schemas: components(),
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
    paths,
  }
}

function operationOf(route: Route): Data {
  const { access, body } = route
  const isOpen = access === 'open' || access === 'signed'
  return {
    operationId: route.name,
    summary: route.summary,
    'x-access': access,
    security: isOpen ? [] : [{ token: [] }],
    parameters: parametersOf(route),
    ...(body === undefined ? {} : { requestBody: bodyOf(body) }),
    responses: responsesOf(route),
  }
}

function parametersOf({ params, query }: Route): readonly Data[] {
  const inPath = Object.entries(params?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: 'path',
    required: true,
    schema: schemaOf(z.toJSONSchema(schema, { io: 'input' })),
  }))
  const inQuery = Object.entries(query?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema: schemaOf(z.toJSONSchema(schema, { io: 'input' })),
  }))
  return [...inPath, ...inQuery]
}

function bodyOf(body: NonNullable<Route['body']>): Data {
  const schema = schemaOf(z.toJSONSchema(body, { io: 'input' }))
  const isRequired = !z.safeParse(body, undefined).success
  return { required: isRequired, content: { 'application/json': { schema } } }
}

function responsesOf(route: Route): Data {
  const responses: Record<string, Data> = {}
  for (const [status, told] of Object.entries(route.answers)) responses[status] = responseOf(told)
  const [type, schema] =
    route.errors === 'origin'
      ? ['application/json', 'OriginError']
      : ['application/problem+json', 'Problem']
  responses['default'] = {
    description: 'It was refused or went wrong',
    content: { [type]: { schema: { $ref: reference(schema) } } },
  }
  return responses
}

function responseOf({ says, body }: DocumentedAnswer): Data {
  if ('type' in body && typeof body.type === 'string' && !('_zod' in body)) {
    return { description: says, content: { [body.type]: { schema: { type: 'string' } } } }
  }
  if (!('_zod' in body)) return { description: says }
  const schema = schemaOf(z.toJSONSchema(body, { metadata: registry() }))
  return { description: says, content: { 'application/json': { schema } } }
}

function components(): Data {
  const made = z.toJSONSchema(registry(), { uri: reference })
  const schemas: Record<string, Data> = {}
  for (const [name, schema] of Object.entries(made.schemas)) schemas[name] = schemaOf(schema)
  return schemas
}

function registry() {
  const known = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(named)) known.add(schema, { id })
  return known
}

function reference(name: string): string {
  return `#/components/schemas/${name}`
}

const standing = new Set(['$schema', '$id', '$defs', 'readOnly'])

/** Without what only a schema that stands alone needs; definitions are among the components. */
function schemaOf(schema: object): Data {
  const text = JSON.stringify(schema, (key, value: unknown) =>
    standing.has(key) ? undefined : value,
  )
  const parsed: Data = JSON.parse(text.replaceAll('#/$defs/', '#/components/schemas/'))
  return parsed
}
