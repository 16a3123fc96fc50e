/** What a loop is made of whose applications come from no source, and that remembers nothing between its starts. */
import type { Declarations } from '#model/declaration.ts'
import type { Notes } from '#model/store.ts'
import { usualSettings } from './declare/settings.ts'
import type { Dependencies } from './dependencies.ts'
import { renderPool } from './render/render-pool.ts'

/** What is left for whoever runs such a loop to bring. */
export type OwnDependencies = Omit<Dependencies, keyof typeof none | 'renders' | 'declarations'>

export function withoutSources(
  own: OwnDependencies,
  declared: Partial<Declarations> = {},
): Dependencies {
  // no process is started unless something is to be rendered
  return {
    ...own,
    ...none,
    declarations: { ...nothingDeclared, ...declared },
    renders: renderPool(),
  }
}

const nothingDeclared: Declarations = {
  ...usualSettings,
  apps: [],
  discoveries: [],
  concurrency: Infinity,
  projectName: '',
  isOrigin: false,
  warnings: [],
}

/** What a service remembers of applications between starts belongs to the service. */
const forgetful: Notes = {
  read: async () => new Map(),
  get: async () => undefined,
  add: async () => true,
  write: async () => undefined,
}

const none = {
  notes: forgetful,
  isOpen: () => ({ isOpen: true, until: undefined }),
  repository(): never {
    throw new TypeError('there is no source')
  },
}
