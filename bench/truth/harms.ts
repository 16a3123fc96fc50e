/** What is done to a stack or a chart behind the service's back, and how it is undone where the service does not mend it. */
import { createServer, type Server } from 'node:net'
import type { Truth } from './world.ts'

export type Harm<World> = {
  readonly name: (typeof harmNames)[number]
  /** How soon it has to be said, ms. */
  readonly limit: number
  readonly harm: (world: World) => Promise<void>
  /** Undefined: the service mends it by itself. */
  readonly mend?: (world: World) => Promise<void>
  readonly isCommit?: boolean
  /** Of a commit: words that say so while it is still being applied. */
  readonly saidBy?: RegExp
}

/** What there is to do, as calls without a word. */
export function boundTo<World>(one: Harm<World>, world: World) {
  const { harm, mend, isCommit = false, saidBy } = one
  return { harm: () => harm(world), mend: mend && (() => mend(world)), isCommit, saidBy }
}

/** A cell of the matrix that has no meaning, and why. */
export type Meaningless = { readonly name: (typeof harmNames)[number]; readonly why: string }

export const harmNames = [
  'kill',
  'remove',
  'pause',
  'unhealthy',
  'crash loop',
  'foreign change',
  'moved tag',
  'taken port',
  'missing image',
  'engine restarted',
] as const

export const soon = 2_000
/** A check that runs every second and fails once. */
const checkTakes = 1_000

export function containerHarms(): readonly Harm<Truth>[] {
  let holder: Server | undefined
  const port = 21_000 + (process.pid % 9_000)
  return [
    {
      name: 'kill',
      limit: soon,
      harm: async ({ call, container }) =>
        void (await call('POST', `/containers/${container}/kill`)),
    },
    {
      name: 'remove',
      limit: soon,
      harm: async ({ call, container }) => void (await call('DELETE', `/containers/${container}`)),
    },
    {
      name: 'pause',
      limit: soon,
      harm: async ({ call, container }) =>
        void (await call('POST', `/containers/${container}/pause`)),
    },
    { name: 'unhealthy', limit: soon + checkTakes, harm: ({ inside }) => inside('rm /tmp/well') },
    {
      name: 'crash loop',
      limit: soon,
      harm: ({ inside }) => inside('touch /data/end'),
      mend: ({ clear }) => clear(),
    },
    {
      name: 'foreign change',
      limit: soon,
      harm: async ({ call, container, network }) =>
        void (await call('POST', `/networks/${network}/disconnect`, { Container: container })),
    },
    {
      name: 'moved tag',
      limit: soon,
      harm: async ({ engine, image }) => void (await engine.addImage(image, 'second')),
    },
    {
      name: 'taken port',
      limit: soon,
      isCommit: true,
      async harm({ commit }) {
        holder = createServer().listen(port, '0.0.0.0')
        commit({ port })
      },
      async mend({ commit }) {
        holder?.close()
        commit({})
      },
    },
    {
      // asked of a registry that does not answer, the engine itself takes its time
      name: 'missing image',
      limit: soon * 5,
      isCommit: true,
      harm: async ({ commit }) => commit({ image: 'localhost/tend/no-such-image:1' }),
      mend: async ({ commit }) => commit({}),
    },
    { name: 'engine restarted', limit: soon, harm: ({ engine }) => engine.restart() },
  ]
}
