/** Tokens, for those who may make them. */
import * as z from 'zod/mini'
import {
  createToken,
  describeToken,
  listTokens,
  revokeToken,
  roles,
  tokenSchema,
} from '../access/tokens.ts'
import { json } from '../reply.ts'
import { route, type Route } from '../route.ts'
import { list } from '../shapes/model.ts'
import type { RouteContext } from './route-context.ts'

const tokens = list(tokenSchema)
const made = z.object({ token: tokenSchema, text: z.string() })

export function tokenRoutes({ notes, clock, keeper }: RouteContext): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/tokens',
      access: 'admin',
      name: 'tokens',
      summary: 'All tokens, never their texts',
      answers: { 200: { says: 'Oldest first', body: tokens } },
      async handle() {
        return json(tokens, await listTokens(notes))
      },
    }),
    route({
      method: 'POST',
      path: '/api/v1/tokens',
      access: 'admin',
      name: 'createToken',
      summary: 'Makes a token; its text is told this once',
      cost: 'dear',
      body: z.strictObject({
        name: z.string().check(z.minLength(1), z.maxLength(100)),
        role: z.enum(roles),
        /** Patterns of the applications that it is bound to: `stack:web-*`, `chart:staging/*`, `web`. */
        apps: z.optional(
          z
            .array(z.string().check(z.minLength(1), z.maxLength(200)))
            .check(z.minLength(1), z.maxLength(50)),
        ),
        /** ms since 1970. */
        expiresAt: z.optional(z.int().check(z.minimum(1), z.maximum(8_640_000_000_000_000))),
      }),
      answers: { 201: { says: 'The token and its text', body: made } },
      async handle({ body }, { note }) {
        note.detail = `token ${body.name}, role ${body.role}`
        const created = await createToken(notes, clock, body)
        note.detail = describeToken(created.token)
        keeper.forget()
        return json(made, created, 201)
      },
    }),
    route({
      method: 'DELETE',
      path: '/api/v1/tokens/{id}',
      access: 'admin',
      name: 'revokeToken',
      summary: 'Makes a token worthless',
      cost: 'dear',
      params: z.object({ id: z.string() }),
      answers: { 200: { says: 'What it was', body: tokenSchema } },
      async handle({ params }, { note }) {
        note.detail = `token ${params.id}`
        const revoked = await revokeToken(notes, params.id)
        note.detail = describeToken(revoked)
        keeper.forget()
        return json(tokenSchema, revoked)
      },
    }),
  ]
}
