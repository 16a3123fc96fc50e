/** Drives the service without HTTP, for tests: what it is declared to do, and waiting for what it should come to. */
import { isOpen } from '#controller/declare/windows.ts'
import { loadedStacks } from '#kinds/stacks/load.ts'
import type { LoadedKind } from '#model/application-kind.ts'
import { openService, type Controller } from '#controller/open-service.ts'
import type { Dependencies } from '#controller/dependencies.ts'
import { renderPool } from '#controller/render/render-pool.ts'
import { bindFilesIn } from '#sources/bind-files.ts'
import type { AppPolicy, Declarations, Declared, Discovery } from '#model/declaration.ts'
import { allowAll } from '#model/policy.ts'
import type { AppStatus } from '#model/service.ts'
import type { Repository } from '#model/source.ts'
import { memoryLeases, memoryNotes, memoryStore } from '#store/memory.ts'
import { builtRenders } from './built-program.ts'
import { systemClock } from './drive.ts'

export const usualPolicy: AppPolicy = {
  interval: 0,
  suspended: false,
  prune: false,
  drift: 'revert',
  flagsEverything: false,
  rollback: 'auto',
  windows: [],
  dependsOn: [],
  timeout: 20_000,
  concurrency: 8,
  security: allowAll,
}

export const usualDeclarations: Declarations = {
  apps: [],
  discoveries: [],
  concurrency: 1,
  isEnabled: true,
  listen: { host: '127.0.0.1', port: 0 },
  projectName: 'Tend',
  hooks: [],
  alerts: { failures: 3, after: 600_000, channels: [] },
  commitStatus: [],
  log: { level: 'info', format: 'text' },
  hostFiles: undefined,
  isOrigin: false,
  warnings: [],
}

const source = {
  kind: 'git',
  url: 'https://git.test/shop',
  ref: 'main',
  credential: undefined,
  submodules: false,
} as const

export function stackOf(
  name: string,
  target: string | undefined,
  more: Partial<Omit<Declared, 'policy'>> & { readonly policy?: Partial<AppPolicy> } = {},
): Declared {
  return {
    application: { kind: 'stack', namespace: null, name },
    source,
    path: name,
    files: [],
    profiles: [],
    values: {},
    target,
    at: undefined,
    ...more,
    policy: { ...usualPolicy, ...more.policy },
  }
}

export function treeOfStacks(
  target: string | undefined,
  more: Partial<Omit<Discovery, 'policy'>> & { readonly policy?: Partial<AppPolicy> } = {},
): Discovery {
  return {
    name: 'shop',
    source,
    path: '',
    depth: 1,
    include: [],
    exclude: [],
    prefix: '',
    target,
    values: {},
    removesGone: false,
    at: undefined,
    ...more,
    policy: { ...usualPolicy, ...more.policy },
  }
}

export type Served = Controller & {
  readonly lines: readonly string[]
  /** Waits until the status is as it should be. */
  until(key: string, isSo: (status: AppStatus) => boolean): Promise<AppStatus>
  readonly parts: Dependencies
}

export type ServeOptions = Partial<Omit<Dependencies, 'declarations'>> & {
  readonly repo: Repository
  readonly folder: string
  readonly declarations: Partial<Declarations>
  readonly kind?: LoadedKind
}

export function serve({ repo, folder, declarations, kind, ...more }: ServeOptions): Served {
  const lines: string[] = []
  const parts: Dependencies = {
    declarations: { ...usualDeclarations, ...declarations },
    renders: renderPool(builtRenders()),
    isOpen,
    repository: () => repo,
    kinds: [kind ?? loadedStacks],
    bindFiles: bindFilesIn(folder),
    store: memoryStore(),
    leases: memoryLeases(() => Date.now()),
    notes: memoryNotes(),
    key: new Uint8Array(32),
    clock: systemClock,
    instance: 'test',
    holder: 'a test',
    log: (level, message, fields) =>
      lines.push(`${level} ${message} ${JSON.stringify(fields ?? {})}`),
    ...more,
  }
  const service = openService(parts)

  function until(key: string, isSo: (status: AppStatus) => boolean): Promise<AppStatus> {
    return new Promise((resolve, reject) => {
      const limit = setTimeout(() => {
        end()
        const now = service.apps().find((one) => one.key === key)
        reject(new Error(`${key} did not come to it: ${JSON.stringify(now)}\n${lines.join('\n')}`))
      }, 60_000)
      function tried(status: AppStatus | undefined): void {
        if (status === undefined || !isSo(status)) return
        clearTimeout(limit)
        end()
        resolve(status)
      }
      const end = service.listen((event) => {
        if (event.type === 'app' && event.status.key === key) tried(event.status)
      })
      tried(service.apps().find((one) => one.key === key))
    })
  }
  return { ...service, lines, until, parts }
}
