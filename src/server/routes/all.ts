/** The table of all routes, and the document made of it. */
import * as z from 'zod/mini'
import type { Guard } from '../access/guard.ts'
import { openApiOf } from '../openapi.ts'
import { ready } from '../reply.ts'
import { route, type Route } from '../route.ts'
import { cached } from '../stream/cached.ts'
import { actionRoutes } from './actions.ts'
import { appRoutes } from './apps.ts'
import { artifactRoutes } from './artifacts.ts'
import { auditRoutes } from './audit.ts'
import type { RouteContext } from './route-context.ts'
import { eventRoutes } from './events.ts'
import { healthRoutes } from './health.ts'
import { hookRoutes } from './hooks.ts'
import { loginRoutes } from './login.ts'
import { mergedLogRoutes } from './merged-logs.ts'
import { originRoutes } from './origin.ts'
import { overviewRoutes } from './overview.ts'
import { placeRoutes } from './sources-and-targets.ts'
import { planRoutes } from './plans.ts'
import { rowRoutes } from './rows.ts'
import { runPageRoutes } from './run-pages.ts'
import { runRoutes } from './runs.ts'
import { sessionRoutes } from './session.ts'
import { timelineRoutes } from './timeline.ts'
import { tokenRoutes } from './tokens.ts'
import { viewRoutes } from './views.ts'

const described = z.looseObject({ openapi: z.string() })

export function allRoutes(context: RouteContext, guard: Guard): readonly Route[] {
  const document = cached(() => openApiOf(routes))
  const routes: readonly Route[] = [
    ...originRoutes(context),
    ...hookRoutes(context, guard),
    ...overviewRoutes(context),
    ...appRoutes(context),
    ...viewRoutes(context),
    ...runPageRoutes(context),
    ...mergedLogRoutes(context),
    ...placeRoutes(context),
    ...rowRoutes(context),
    ...planRoutes(context),
    ...actionRoutes(context),
    ...timelineRoutes(context),
    ...runRoutes(context),
    ...eventRoutes(context),
    ...tokenRoutes(context),
    ...loginRoutes(context),
    ...sessionRoutes(context, guard),
    ...auditRoutes(context),
    ...healthRoutes(context),
    ...artifactRoutes(context),
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
