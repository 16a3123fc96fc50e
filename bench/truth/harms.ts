/** What is done to an application behind the service's back, and how it is undone where the service does not mend it. */
import { createServer, type Server } from 'node:net'
import type { Kind, Truth } from './world.ts'

export type Harm = {
  readonly name: string
  /** How soon it has to be said, ms. */
  readonly limit: number
  harm(world: Truth): Promise<void>
  /** Undefined: the service mends it by itself. */
  readonly mend?: (world: Truth) => Promise<void>
}

const soon = 2_000
/** A check that runs every second and fails once. */
const checkTakes = 1_000

/** Cells that have no meaning are left out: charts of one container without a network of their own have none to leave. */
export function harmsOf(kind: Kind): readonly Harm[] {
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
    ...(kind === 'chart'
      ? []
      : [
          {
            name: 'crash loop',
            limit: soon,
            harm: ({ inside }: Truth) => inside('touch /data/end'),
            mend: ({ clear }: Truth) => clear(),
          },
          {
            name: 'foreign change',
            limit: soon,
            harm: async ({ call, container, network }: Truth) =>
              void (await call('POST', `/networks/${network}/disconnect`, {
                Container: container,
              })),
          },
        ]),
    {
      name: 'missing image',
      limit: soon * 5,
      harm: async ({ commit }) => commit({ image: 'localhost/tend/no-such-image:1' }),
      mend: async ({ commit }) => commit({}),
    },
    {
      name: 'taken port',
      limit: soon * 5,
      async harm({ commit }) {
        holder = createServer().listen(port, '0.0.0.0')
        commit({ port })
      },
      async mend({ commit }) {
        holder?.close()
        commit({})
      },
    },
  ]
}
