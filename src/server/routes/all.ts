/** The table of all routes, and the document made of it. */
import * as z from 'zod/mini'
import type { Guard } from '../access/guard.ts'
import { openApiOf } from '../openapi.ts'
import { ready } from '../reply.ts'
import { route, type Route } from '../route.ts'
import { cached } from '../stream/cached.ts'
import { appRoutes } from './apps.ts'
import { auditRoutes } from './audit.ts'
import type { Desk } from './desk.ts'
import { eventRoutes } from './events.ts'
import { healthRoutes } from './health.ts'
import { hookRoutes } from './hooks.ts'
import { loginRoutes } from './login.ts'
import { originRoutes } from './origin.ts'
import { runRoutes } from './runs.ts'
import { tokenRoutes } from './tokens.ts'

const described = z.looseObject({ openapi: z.string() })

export function allRoutes(desk: Desk, guard: Guard): readonly Route[] {
  const document = cached(() => openApiOf(routes))
  const routes: readonly Route[] = [
    ...originRoutes(desk),
    ...hookRoutes(desk, guard),
    ...appRoutes(desk),
    ...runRoutes(desk),
    ...eventRoutes(desk),
    ...tokenRoutes(desk),
    ...loginRoutes(desk),
    ...auditRoutes(desk),
    ...healthRoutes(desk),
    route({
      method: 'GET',
      path: '/api/openapi.json',
      access: 'open',
      name: 'openapi',
      summary: 'This document',
      cost: 'cached',
      answers: { 200: { says: 'OpenAPI 3.1', body: described } },
      handle: () => ready(document.get()),
    }),
  ]
  return routes
}
