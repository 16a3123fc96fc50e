/** Man pages, made from the same tables as the help: tend(1), and one for each verb. */
import { flagOf, type Flag } from '#cli/arguments/flags.ts'
import { generalHelp } from '#cli/arguments/help.ts'
import { verbs, type Verb } from '#cli/arguments/verbs.ts'
import { file, type Tree } from './tree.ts'

/** `tend.1`, `tend-compose-up.1`. */
export function manPages(version: string, day: string): Tree {
  const pages = verbs.map((verb) => [`${pageOf(verb)}.1`, verbPage(verb, version, day)] as const)
  const all = [...pages, ['tend.1', firstPage(version, day)] as const]
  return Object.fromEntries(all.map(([name, lines]) => [name, file(`${lines.join('\n')}\n`)]))
}

function pageOf({ name }: Pick<Verb, 'name'>): string {
  return `tend-${name.replaceAll(' ', '-')}`
}

function firstPage(version: string, day: string): readonly string[] {
  const help = generalHelp()
  const steps = help.indexOf('First steps:')
  return [
    ...head('tend', version, day),
    '.SH NAME',
    'tend \\- keeps running things as they were declared',
    '.SH SYNOPSIS',
    '.B tend',
    '.I VERB',
    '[ARGUMENTS] [FLAGS]',
    '.SH DESCRIPTION',
    ...help.slice(0, 2).map(escaped),
    '.SH VERBS',
    ...verbs.flatMap((verb) => ['.TP', `.BR ${escaped(pageOf(verb))} (1)`, escaped(verb.summary)]),
    '.SH FIRST STEPS',
    '.nf',
    ...help.slice(steps + 1).map(escaped),
    '.fi',
    ...files,
  ]
}

function verbPage(verb: Verb, version: string, day: string): readonly string[] {
  const flags = verb.flags.map((name): Flag => ({ ...flagOf(name), ...verb.means?.[name] }))
  return [
    ...head(pageOf(verb), version, day),
    '.SH NAME',
    `${escaped(pageOf(verb))} \\- ${escaped(verb.summary)}`,
    '.SH SYNOPSIS',
    `.B ${escaped(`tend ${verb.name}`)}`,
    ...(verb.takes === '' ? [] : [`.I ${escaped(verb.takes)}`]),
    '[FLAGS]',
    '.SH DESCRIPTION',
    escaped(`${verb.summary.slice(0, 1).toUpperCase()}${verb.summary.slice(1)}.`),
    ...(verb.notes ?? []).map(escaped),
    '.SH OPTIONS',
    ...flags.flatMap((flag) => ['.TP', `.B ${escaped(written(flag))}`, escaped(flag.help)]),
    '.SH EXIT STATUS',
    '0: done, or nothing to do. 1: something failed. 2: wrong usage or configuration. 130: interrupted.',
    '.SH SEE ALSO',
    '.BR tend (1)',
  ]
}

const files = [
  '.SH FILES',
  '.TP',
  '.I /etc/tend/tend.yaml',
  'what the service keeps running',
  '.TP',
  '.I /var/lib/tend',
  'history, keys and the files of applications ($TEND_HOME; of a user without root \\(ti/.local/state/tend)',
]

function head(page: string, version: string, day: string): readonly string[] {
  return [`.TH ${escaped(page).toUpperCase()} 1 "${day}" "Tend ${version}" "Tend"`]
}

function written({ name, short, takes }: Flag): string {
  return `${short === undefined ? '' : `-${short}, `}--${name}${takes === undefined ? '' : ` ${takes}`}`
}

/** What troff would take for its own. */
function escaped(text: string): string {
  const plain = text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('~', '\\(ti')
    .replaceAll('^', '\\(ha')
    .replaceAll('…', '...')
  return /^[.']/.test(plain) ? `\\&${plain}` : plain
}
