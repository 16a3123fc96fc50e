/** What the service in memory tells the dashboard. */
import type { AppRow } from '#model/api.ts'
import { putFakeRow, removeFakeRow, shownFakeRows } from './service-rows.ts'
import { Problem } from '#model/problem.ts'
import type { AppStatus, Expected, Service } from '#model/service.ts'
import type { ServiceViews } from '#model/service-views.ts'
import type { RunRecord } from '#model/store.ts'

export function fakeViews(
  service: () => Pick<Service, 'app' | 'plan' | 'resources' | 'row' | 'sources'>,
  rowFacts: ReadonlyMap<string, Partial<AppRow>>,
  runs: () => ReadonlyMap<string, readonly RunRecord[]>,
): ServiceViews {
  const app = (key: string) => service().app(key)
  return {
    newest: async () => new Map(),
    async planned(key, _, signal) {
      const { revision = '', hash = '' } = app(key).desired ?? {}
      return { plan: await service().plan(key, signal), of: { revision, hash } }
    },
    row: (status) => ({
      ...status,
      blockedBy: [],
      isUpdateAvailable: status.desired?.hash !== status.synced?.hash,
      labels: status.labels ?? {},
      ...rowFacts.get(status.key),
    }),
    async detail(key) {
      const open = { sync: null, suspend: null, restart: null, prune: null } as const
      const actions = { ...open, resume: 'it is not suspended' }
      return { ...service().row(app(key)), actions, hasLogs: true, drift: [] }
    },
    async graph(key) {
      app(key)
      const node = { type: 'resource', sync: 'synced', reason: '' } as const
      return {
        nodes: [
          { ...node, id: 'container/web', kind: 'container', name: 'web', health: 'healthy' },
          { ...node, id: 'network/default', kind: 'network', name: 'default' },
          { ...node, type: 'app', id: 'stack:db', kind: 'stack', name: 'db' },
        ],
        edges: [
          { from: 'container/web', to: 'network/default', until: 'exists' },
          { from: 'container/web', to: 'stack:db', until: 'healthy' },
        ],
      }
    },
    async resource(key, ref) {
      const [found] = await service().resources(key, new AbortController().signal)
      if (ref !== found?.ref) {
        const message = `${key} has no resource ${ref}`
        throw new Problem({ type: 'configuration', code: 'not_found', message })
      }
      const declared = { image: 'web:1', environment: { API_TOKEN: 'planted', COLOUR: 'blue' } }
      const origin = { file: 'deploy/web/compose.yaml', line: 2 }
      const lists = { lines: [], fields: [], needs: [], neededBy: [], containers: ['web-1'] }
      return { ...found, declared, running: declared, origin, ...lists }
    },
    origins: async () => ({}),
    targets: async () => [
      {
        name: 'docker',
        engine: 'docker',
        state: 'reachable',
        reason: '',
        since: 0,
        apps: 2,
        attention: 0,
        containers: { running: 2, total: 3 },
        runs: 0,
      },
    ],
    sourceRows: () =>
      service()
        .sources()
        .map((one) => ({ ...one, id: 'shop', apps: 2 })),
    refreshSource(id) {
      if (id === 'shop') return 'refreshing'
      throw new Problem({ type: 'configuration', code: 'not_found', message: `no source ${id}` })
    },
    restart: async (key) => app(key),
    rows: async (key) => shownFakeRows(app(key)),
    putRow: async (key, name, columns, how) => putFakeRow(app(key), name, columns, how),
    removeRow: async (key, name) => removeFakeRow(app(key), name),
    async *mergedLogs(key, { search = '', tail = 100 }) {
      app(key)
      const texts = ['one', 'two', 'three'].filter((text) => text.includes(search))
      for (const [at, text] of texts.slice(-tail).entries()) {
        yield { at, container: 'web-1', stream: 'stdout', text }
      }
    },
    async runPage({ app: only, limit, before, isMeant }) {
      const all = [...runs()].flatMap(([key, own]) => own.map((run) => ({ key, run })))
      const meant = all
        .filter(({ key }) => (only === undefined || key === only) && isMeant(key))
        .toSorted(
          (one, other) =>
            other.run.startedAt - one.run.startedAt || other.run.number - one.run.number,
        )
      const from = meant.findIndex(
        ({ key, run }) => key === before?.key && run.number === before.number,
      )
      const page = meant.slice(from + 1, from + 1 + limit)
      return page.map(({ key, run }) => ({
        key,
        number: run.number,
        trigger: run.trigger,
        ...(run.by === undefined ? {} : { by: run.by }),
        version: run.version,
        startedAt: run.startedAt,
        isRolledBack: run.isRolledBack,
        hash: run.hash,
        hasSnapshot: run.hasSnapshot,
      }))
    },
  }
}

/** A run of something else than what somebody saw the plan of is refused. */
export function refuseOther({ key, desired }: AppStatus, expected: Expected | undefined): void {
  if (expected === undefined) return
  if (expected.revision === desired?.revision && expected.hash === desired.hash) return
  const message = `the source of ${key} has something else now`
  throw new Problem({ type: 'runtime', code: 'conflict', message })
}
