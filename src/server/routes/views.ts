/** One application from near by: all that its page begins with, its graph, and each resource. */
import type { AppDetail } from '#model/api.ts'
import * as z from 'zod/mini'
import type { Caller } from '../access/caller.ts'
import { covers } from '../access/keeper.ts'
import { isAmong, mayUse } from '../access/scope.ts'
import { json } from '../reply.ts'
import { route, type Route } from '../route.ts'
import { shownChange, shownResources } from '../shapes/shown-plan.ts'
import { shownValue } from '../shapes/shown-value.ts'
import { actionNames, appDetail, graph, resourceDetail } from '../shapes/views.ts'
import { keyed } from './apps.ts'
import type { RouteContext } from './route-context.ts'

export function viewRoutes({ service, timeline }: RouteContext): readonly Route[] {
  const base = '/api/v1/apps/{key}'
  return [
    route({
      method: 'GET',
      path: `${base}/detail`,
      access: 'read',
      name: 'detail',
      summary: 'All that its page begins with: what drifted, what can be done, what holds it',
      params: keyed,
      answers: { 200: { says: 'The application', body: appDetail } },
      async handle({ params: { key } }, { signal, caller }) {
        const found = await service.detail(key, signal)
        const drift = found.drift.map((one) => ({
          ...one,
          changes: one.changes.map((change) => ({ ...change, ...shownChange(change) })),
        }))
        return json(appDetail, { ...found, drift, actions: actionsFor(caller, found) })
      },
    }),
    route({
      method: 'GET',
      path: `${base}/graph`,
      access: 'read',
      name: 'graph',
      summary: 'Its resources and what depends on what, other applications included',
      cost: 'dear',
      params: keyed,
      answers: { 200: { says: 'Nodes and edges', body: graph } },
      async handle({ params: { key } }, { signal, caller }) {
        const { nodes, edges } = await service.graph(key, signal)
        const hidden = new Set(
          nodes.filter(({ type, id }) => type === 'app' && !mayUse(caller, id)).map(({ id }) => id),
        )
        return json(graph, {
          nodes: nodes.filter(({ id }) => !hidden.has(id)),
          edges: edges.filter(({ from, to }) => !hidden.has(from) && !hidden.has(to)),
        })
      },
    }),
    route({
      method: 'GET',
      path: `${base}/resources/{ref}`,
      access: 'read',
      name: 'resource',
      summary:
        'One resource: declared, running, and each differing field with file, line and commit',
      cost: 'dear',
      params: z.extend(keyed, { ref: z.string() }),
      answers: { 200: { says: 'The resource', body: resourceDetail } },
      async handle({ params: { key, ref } }, { signal }) {
        const { declared, running, fields, lines, ...found } = await service.resource(
          key,
          ref,
          signal,
        )
        const [status = found] = shownResources([found])
        return json(resourceDetail, {
          ...found,
          ...status,
          ...(declared === undefined ? {} : { declared: shownValue(declared) }),
          ...(running === undefined ? {} : { running: shownValue(running) }),
          lines: lines.map(({ path, value, origin }) => {
            const { to } = shownChange({ path, from: null, to: value })
            return { path, value: to, origin }
          }),
          fields: fields.map((one) => ({ ...one, ...shownChange(one) })),
          events: (await timeline.read({ app: key, limit: 20 })).filter(
            (entry) => entry.ref === undefined || entry.ref === ref,
          ),
        })
      },
    }),
  ]
}

/** Whoever may not change it is told so, before anything else that stands in the way. */
function actionsFor(caller: Caller, { key, actions }: AppDetail): AppDetail['actions'] {
  const { role = 'read', changes } = caller
  const isBound = !isAmong(caller, changes, key)
  const refusal = covers(role, 'sync')
    ? isBound
      ? 'you may see it, and not change it'
      : undefined
    : 'you may look, and not change anything: role sync is needed'
  if (refusal === undefined) return actions
  const names = actionNames.filter((name) => actions[name] !== undefined)
  return Object.fromEntries(names.map((name) => [name, refusal]))
}
