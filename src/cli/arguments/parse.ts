/** Parses the words of a command line, or gives a problem that says what to type instead. */
import { closest } from './closest.ts'
import { composeFlagsOf } from './compose-values.ts'
import { containerFlagsOf } from './container-flags.ts'
import { findVerb, groupWords, isGroupWord, type GroupWord } from './find-verb.ts'
import { fleetFlagsOf } from './fleet-values.ts'
import { kustomizeFlagsOf } from './kustomize-flags.ts'
import type { FlagName } from './flags.ts'
import { kubeFlagsOf } from './kube-flags.ts'
import { adviceOnVerb, cousins } from './aliases.ts'
import type { Flags, Format, Invocation, LayerFlag } from './invocation.ts'
import { durationOf, wholeNumber } from './measures.ts'
import { objectWords } from './object-names.ts'
import { helpOf, tokensOf, type FlagValue } from './tokens.ts'
import { usageProblem } from './usage.ts'
import { shorthands, verbOf, verbs, type Verb, type VerbName } from './verbs.ts'
import { defined } from '#model/defined.ts'

type ParsedArguments =
  | { readonly kind: 'help'; readonly verb: VerbName | GroupWord | undefined }
  | { readonly kind: 'version' }
  | { readonly kind: 'invocation'; readonly invocation: Invocation }

export function parse(args: readonly string[]): ParsedArguments {
  const [first, ...rest] = args
  if (first === undefined || first === '--help' || first === '-h') return help(undefined)
  if (first === 'help') return help(findVerb(rest).typed)
  if (first === '--version') return { kind: 'version' }
  const found = findVerb(args)
  if (isGroupWord(found.typed)) return help(found.typed)
  const [group, word] = found.typed?.split(' ') ?? []
  if (word === 'help') return help([group, ...found.rest.slice(0, 1)].join(' '))
  if (found.typed === undefined) throw noVerb(first)
  const verb = knownVerb(found.typed)
  const { given, words: typed } = tokensOf(found.rest, verb)
  const words = objectWords(verb.name, typed)
  if (given.some(({ flag }) => flag.name === 'help')) return help(verb.name)
  const flags = flagsOf(given, verb)
  return { kind: 'invocation', invocation: { verb: verb.name, ...placed(words, flags, verb) } }
}

/** The output format that was asked for, however wrong the rest of the line is. */
export function formatAsked(args: readonly string[]): Format {
  const text = args.join('\u0000')
  const asked = /(?:^|\0)(?:-[a-z]*o|--output)[=\0]?(json|yaml)(?:$|\0)/.exec(text)?.[1]
  return asked === 'json' || asked === 'yaml' ? asked : 'table'
}

function help(name: string | undefined): ParsedArguments {
  if (name === undefined || isGroupWord(name)) return { kind: 'help', verb: name }
  return { kind: 'help', verb: knownVerb(name).name }
}

/** The problem of a line that has only flags: `tend --versoin`. */
function noVerb(first: string): Error {
  const meant = closest(first, ['--version', '--help'])
  if (meant === undefined) return usageProblem('no verb was given', 'tend --help lists all verbs')
  return usageProblem(`unknown flag ${first}`, `did you mean ${meant}?`)
}

function knownVerb(typed: string): Verb & { readonly name: VerbName } {
  const verb = verbOf(typed)
  if (verb !== undefined) return verb
  const advice = adviceOnVerb(typed)
  if (advice !== undefined) throw usageProblem(`there is no tend ${typed}`, advice)
  const meant = cousins[typed] ?? closestVerb(typed)
  const all = isGroupWord(typed.split(' ')[0]) ? `tend ${typed.split(' ')[0]}` : 'tend'
  const suggestion =
    meant === undefined ? `${all} --help lists all verbs` : `did you mean ${meant}?`
  throw usageProblem(`unknown verb ${JSON.stringify(typed)}`, suggestion)
}

/** Behind the first word of a group only its own verbs can have been meant. */
function closestVerb(typed: string): string | undefined {
  const names = verbs.map(({ name }) => name)
  const [group, word] = typed.split(' ')
  if (!isGroupWord(group) || word === undefined) {
    return closest(typed, [...names, ...Object.keys(shorthands), ...groupWords])
  }
  const own = names
    .filter((name) => name.startsWith(`${group} `))
    .map((name) => defined(name.split(' ')[1]))
  const meant = closest(word, own)
  return meant === undefined ? undefined : `${group} ${meant}`
}

/** `install NAMESPACE PATH` means the same as `install PATH -n NAMESPACE`. */
function placed(
  words: readonly string[],
  flags: Flags,
  verb: Verb,
): { readonly words: readonly string[]; readonly flags: Flags } {
  if (words.length < verb.least) {
    throw usageProblem(`tend ${verb.name} needs ${verb.takes}`, helpOf(verb))
  }
  if (words.length > verb.most) {
    const extra = words.slice(verb.most).join(' ')
    const advice =
      verb.name === 'compose up'
        ? 'it brings up the whole stack, and touches only what differs; leave it out, or choose services by --profile'
        : spaceMeant(words, verb)
    throw usageProblem(`tend ${verb.name} does not know what to do with: ${extra}`, advice)
  }
  const [first, second] = words
  if (!verb.takes.startsWith('[NAMESPACE]') || first === undefined || second === undefined) {
    return { words, flags }
  }
  if (isPathWord(first)) {
    const each = words.map((word) => `tend ${verb.name} ${word}`).join('; ')
    throw usageProblem(`tend ${verb.name} takes one at a time: ${words.join(' ')}`, each)
  }
  if (flags.namespace !== null && flags.namespace !== first) {
    const both = `${first} and ${flags.namespace}`
    throw usageProblem(`two namespaces were given: ${both}`, 'give one of them')
  }
  return { words: [second], flags: { ...flags, namespace: namespaceOf(first) } }
}

/** No namespace is written like a path. */
function isPathWord(word: string): boolean {
  return /^[./~]|\//.test(word)
}

/** `uninstall NAMESPACE NAME` is understood as `install` understands it. */
function spaceMeant([first, second]: readonly string[], verb: Verb): string {
  const isName = verb.most === 1 && /NAME|PATH/.test(verb.takes) && verb.flags.includes('namespace')
  if (!isName) return helpOf(verb)
  return `if ${first} is a namespace: tend ${verb.name} ${second} -n ${first}`
}

const layerKinds: Readonly<Partial<Record<string, LayerFlag['kind']>>> = {
  values: 'file',
  set: 'set',
  'set-string': 'set-string',
  'set-json': 'set-json',
  'set-literal': 'set-literal',
  'set-file': 'set-file',
}

function flagsOf(given: readonly FlagValue[], verb: Verb): Flags {
  function texts(name: FlagName): readonly string[] {
    return given.flatMap(({ flag, text }) => (flag.name === name ? [text] : []))
  }
  function text(name: FlagName): string | undefined {
    return texts(name).at(-1)
  }
  function isOn(name: FlagName, otherwise = false): boolean {
    const value = text(name)
    if (value === undefined) return otherwise
    if (/^(true|yes|1)$/.test(value)) return true
    if (/^(false|no|0)$/.test(value)) return false
    throw usageProblem(`--${name}=${value} is neither true nor false`, helpOf(verb))
  }
  function time(name: FlagName, otherwise: number): number {
    const value = text(name)
    return value === undefined ? otherwise : durationOf(name, value)
  }
  function number(name: FlagName): number | undefined {
    const value = text(name)
    return value === undefined ? undefined : wholeNumber(name, value)
  }
  const namespace = text('namespace')
  return {
    namespace: namespace === undefined ? null : namespaceOf(namespace),
    isDryRun: isOn('dry-run'),
    isVerbose: isOn('verbose') || isOn('debug'),
    isDebug: isOn('debug'),
    format: isOn('json') ? 'json' : formatOf(text('output') ?? 'table'),
    hasColor: !isOn('no-color'),
    target: text('target'),
    layers: given.flatMap(({ flag, text: value }) => {
      const kind = layerKinds[flag.name]
      return kind === undefined ? [] : [{ kind, text: value }]
    }),
    resetsValues: isOn('reset-values'),
    allowEnv: texts('allow-env'),
    timeout: time('timeout', 300_000),
    waits: isOn('wait', true),
    isAtomic: isOn('atomic', true),
    concurrency: number('concurrency') ?? 8,
    isSure: isOn('yes'),
    pruneVolumes: isOn('prune-volumes') || isOn('volumes'),
    recreateVolumes: isOn('recreate-volumes'),
    allowEmpty: isOn('allow-empty'),
    allowMassDelete: isOn('allow-mass-delete'),
    hasExitCode: isOn('exit-code'),
    run: number('run'),
    tail: number('tail'),
    follows: isOn('follow'),
    interval: verb.name.startsWith('fleet ') ? 0 : time('interval', 30_000),
    installs: isOn('install'),
    prints: isOn('print'),
    ...composeFlagsOf({ texts, text, isOn }),
    containers: containerFlagsOf({ texts, text, isOn }),
    service: {
      configs: texts('config'),
      listen: text('listen'),
      server: text('server'),
      role: text('role'),
      name: text('name'),
      app: texts('app'),
      expires: text('expires'),
      who: text('who'),
      since: text('since'),
      limit: number('limit'),
      database: text('database'),
      offers: texts('offer'),
      waits: isOn('wait'),
    },
    kustomize: kustomizeFlagsOf({ texts, text, isOn }),
    fleet: fleetFlagsOf({ texts, text, isOn }, verb),
    kube: kubeFlagsOf({ text, isOn }),
  }
}

function formatOf(text: string): Format {
  if (text === 'table' || text === 'json' || text === 'yaml') return text
  const meant = closest(text, ['table', 'json', 'yaml'])
  const suggestion = meant === undefined ? 'use table, json or yaml' : `did you mean ${meant}?`
  throw usageProblem(`unknown output format ${JSON.stringify(text)}`, suggestion)
}

/** A namespace becomes part of names in Podman, which allows few letters. */
function namespaceOf(text: string): string {
  if (/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(text)) return text
  const message = `${JSON.stringify(text)} can't be a namespace`
  throw usageProblem(message, 'use small letters, digits and dashes, at most 63')
}
