/** The origin's endpoints, in its shapes: its users switch by changing the image. */
import { Problem } from '#model/problem.ts'
import type { AppStatus } from '#model/service.ts'
import * as z from 'zod/mini'
import { checkApp, checkWhole, isWhole, visibleApps, visibleSources } from '../access/scope.ts'
import { banner } from '../banner.ts'
import { json, ready, text } from '../reply.ts'
import { route, type Route } from '../route.ts'
import { list } from '../shapes/model.ts'
import {
  acknowledgement,
  containerOf,
  isStack,
  originContainer,
  stackRecordOf,
  refreshAnswer,
  refreshOf,
  refreshSnapshot,
  stackPath,
  stackRecords,
} from '../shapes/origin.ts'
import type { RouteContext } from './route-context.ts'

const containers = list(originContainer)

export function originRoutes(context: RouteContext): readonly Route[] {
  const { service, prepared, scope } = context

  function stackAt(path: string): AppStatus | undefined {
    return service.apps().find((app) => isStack(app) && stackPath(app, scope) === path)
  }

  return [
    route({
      method: 'GET',
      path: '/',
      access: 'read',
      name: 'banner',
      summary: 'Name, running containers, repository, revision and folder, for a person',
      errors: 'origin',
      answers: { 200: { says: 'A few lines', body: { type: 'text/plain' } } },
      handle: (_, { caller }) => text(banner(context, caller)),
    }),
    route({
      method: 'GET',
      path: '/api/stacks',
      access: 'read',
      name: 'originStacks',
      summary: 'All stacks',
      errors: 'origin',
      cost: 'cached',
      answers: { 200: { says: 'Records of all stacks', body: stackRecords } },
      handle: (_, { caller }) =>
        isWhole(caller)
          ? ready(prepared.stacks.get())
          : json(
              stackRecords,
              visibleApps(service, caller)
                .filter(isStack)
                .map((app) => stackRecordOf(app, scope)),
            ),
    }),
    route({
      method: 'GET',
      path: '/api/stacks/containers/{path*}',
      access: 'read',
      name: 'originContainers',
      summary: 'The containers of a stack',
      errors: 'origin',
      params: z.object({ path: z.string() }),
      answers: { 200: { says: 'None when there is no such stack', body: containers } },
      async handle({ params }, { signal, caller, note }) {
        if (params.path === '') throw refused('stack path is required')
        const app = stackAt(params.path)
        note.app = app?.key ?? ''
        if (app !== undefined) checkApp(caller, app.key)
        const found = app === undefined ? [] : await service.containers(app.key, signal)
        return json(containers, found.map(containerOf))
      },
    }),
    route({
      method: 'POST',
      path: '/api/refresh',
      access: 'sync',
      name: 'originRefresh',
      summary: 'Asks all sources now',
      errors: 'origin',
      cost: 'dear',
      answers: {
        200: { says: 'It goes on, or happens after the one that goes on', body: refreshAnswer },
      },
      handle(_, { caller }) {
        checkWhole(caller, 'a refresh')
        const status = service.refresh(caller.name)
        return json(refreshAnswer, { status, message: `manual refresh ${status}` })
      },
    }),
    route({
      method: 'GET',
      path: '/api/refresh-status',
      access: 'read',
      name: 'originRefreshStatus',
      summary: 'What is known of the repository',
      errors: 'origin',
      cost: 'cached',
      answers: { 200: { says: 'The first source', body: refreshSnapshot } },
      handle: (_, { caller }) =>
        isWhole(caller)
          ? ready(prepared.refresh.get())
          : json(refreshSnapshot, refreshOf(visibleSources(service, caller)[0])),
    }),
    route({
      method: 'POST',
      path: '/api/reconcile/ack',
      access: 'sync',
      name: 'originAcknowledge',
      summary: 'Accepts that drift of a stack is put right, and waits for the run',
      errors: 'origin',
      cost: 'dear',
      body: z.object({ stack_path: z.string().check(z.minLength(1)) }),
      refusal: 'stack_path is required',
      answers: { 200: { says: 'success, failed, skipped or acknowledged', body: acknowledgement } },
      async handle({ body }, { note, caller }) {
        const path = body.stack_path
        const app = stackAt(path)
        note.app = app?.key ?? ''
        if (app === undefined) note.detail = `no stack at ${path}`
        else checkApp(caller, app.key)
        const status = app === undefined ? 'acknowledged' : await acknowledged(app)
        const message = `drift acknowledged for ${path}`
        return json(acknowledgement, { status, stack_path: path, message })
      },
    }),
  ]

  async function acknowledged({ key }: AppStatus): Promise<string> {
    const { outcome } = await service.acknowledge(key)
    if (outcome === undefined) return 'acknowledged'
    return outcome === 'succeeded' ? 'success' : outcome === 'refused' ? 'skipped' : 'failed'
  }
}

function refused(message: string): Problem {
  return new Problem({ type: 'validation', code: 'missing_field', message })
}
