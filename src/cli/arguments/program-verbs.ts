/** The verbs that are about Tend itself: what each takes, which flags it knows, what help says of it. */
import type { Verb } from './verbs.ts'

const everywhere = ['output', 'verbose', 'no-color', 'help'] as const

export const programVerbs = [
  {
    name: 'version',
    summary: 'the version of Tend, the commit that it was built from, and its Node',
    takes: '',
    least: 0,
    most: 0,
    flags: [...everywhere],
  },
  {
    name: 'licenses',
    summary: 'the licences of Tend and of everything that is inside it',
    takes: '',
    least: 0,
    most: 0,
    flags: [...everywhere],
    notes: ['With --verbose: their whole texts.'],
  },
] as const satisfies readonly Verb[]
