/** The verbs that are about Tend itself: what each takes, which flags it knows, what help says of it. */
import type { Verb } from './verbs.ts'

const everywhere = ['output', 'verbose', 'no-color', 'help'] as const

export const programVerbs = [
  {
    name: 'doctor',
    summary: 'what is here, what works, what each missing thing costs, and how to mend it',
    takes: '',
    least: 0,
    most: 0,
    flags: ['target', ...everywhere],
    notes: ['Changes nothing. Exits 1 when no engine can be used, or something is broken.'],
  },
  {
    name: 'explain',
    summary: 'what a code of an error means, why it comes up, and what to do',
    takes: '[CODE]',
    least: 0,
    most: 1,
    flags: [...everywhere],
    notes: ['The code is in every error with -o json. Without one: all codes.'],
  },
  {
    name: 'upgrade-check',
    summary: 'whether a place has a newer release of Tend',
    takes: 'URL|FOLDER',
    least: 0,
    most: 1,
    flags: ['exit-code', ...everywhere],
    notes: [
      'The place is that of a SHA256SUMS of releases. Nothing is asked of the network unless it is given.',
      'With --exit-code it exits 3 when there is a newer one.',
    ],
  },
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
