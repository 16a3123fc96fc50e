import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Problem } from '#model/problem.ts'
import { closest } from './closest.ts'
import { isGroupWord } from './find-verb.ts'
import { generalHelp, verbHelp } from './help.ts'
import type { Invocation } from './invocation.ts'
import { formatAsked, parse } from './parse.ts'
import { verbs } from './verbs.ts'

function asked(line: string): Invocation {
  const result = parse(line.split(' ').filter(Boolean))
  assert.equal(result.kind, 'invocation')
  assert.ok('invocation' in result)
  return result.invocation
}

/** "message | suggestion" of what is refused. */
function refused(line: string): string {
  try {
    parse(line.split(' ').filter(Boolean))
  } catch (thrown) {
    assert.ok(thrown instanceof Problem)
    assert.equal(thrown.code, 'usage')
    return `${thrown.message} | ${thrown.suggestion}`
  }
  throw new Error(`not refused: ${line}`)
}

test('flags in all their spellings', () => {
  const { verb, words, flags } = asked(
    'install ./my-app -vo json --timeout 1m30s --wait=false --no-atomic --allow-env A --allow-env=B',
  )
  assert.equal(verb, 'install')
  assert.deepEqual(words, ['./my-app'])
  assert.equal(flags.isVerbose, true)
  assert.equal(flags.format, 'json')
  assert.equal(flags.timeout, 90_000)
  assert.equal(flags.waits, false)
  assert.equal(flags.isAtomic, false)
  assert.deepEqual(flags.allowEnv, ['A', 'B'])
  assert.equal(asked('install x -oyaml').flags.format, 'yaml')
  assert.equal(asked('install x -o=yaml').flags.format, 'yaml')
  assert.equal(asked('-n staging list').flags.namespace, 'staging')
  assert.deepEqual(asked('install -- -odd').words, ['-odd'])
})

test('values keep the order in which they were given, across their kinds', () => {
  const { flags } = asked(
    'upgrade x --set a=1 -f one.yaml --set-string a=2 -f two.yaml --set b=x=y',
  )
  assert.deepEqual(
    flags.layers.map(({ kind, text }) => `${kind} ${text}`),
    ['set a=1', 'file one.yaml', 'set-string a=2', 'file two.yaml', 'set b=x=y'],
  )
})

test('a namespace as a flag or as the first of two words', () => {
  assert.equal(asked('install development ./my-app --verbose').flags.namespace, 'development')
  assert.deepEqual(asked('install development ./my-app').words, ['./my-app'])
  assert.equal(asked('upgrade ./my-app').flags.namespace, null)
  assert.equal(
    refused('install one ./my-app -n two'),
    'two namespaces were given: one and two | give one of them',
  )
  assert.match(refused('install Dev_1 ./my-app'), /can't be a namespace/)
  assert.equal(
    refused('install ./a ./b'),
    'tend install takes one at a time: ./a ./b | tend install ./a; tend install ./b',
  )
})

test('what somebody may have meant', () => {
  assert.equal(refused('instal x'), 'unknown verb "instal" | did you mean install?')
  assert.equal(refused('upp'), 'unknown verb "upp" | did you mean up?')
  assert.equal(refused('--versoin'), 'unknown flag --versoin | did you mean --version?')
  assert.equal(refused('--verbose'), 'no verb was given | tend --help lists all verbs')
  assert.equal(refused('compse up'), 'unknown verb "compse" | did you mean compose?')
  assert.equal(refused('delete x'), 'unknown verb "delete" | did you mean uninstall?')
  assert.equal(refused('fleet ls'), 'unknown verb "fleet ls" | did you mean fleet list?')
  assert.equal(refused('fleet delete x'), 'unknown verb "fleet delete" | did you mean fleet rm?')
  assert.equal(refused('fleet xy'), 'unknown verb "fleet xy" | tend fleet --help lists all verbs')
  assert.deepEqual(parse(['fleet', 'help']), { kind: 'help', verb: 'fleet' })
  assert.deepEqual(parse(['fleet', 'help', 'add']), { kind: 'help', verb: 'fleet add' })
  assert.equal(
    refused('fleet add x --no-rote'),
    'unknown flag --no-rote | did you mean --no-route?',
  )
  assert.equal(
    refused('fleet add x --no-route=yes'),
    '--no-route takes no value | write --no-route alone',
  )
  assert.equal(refused('xyzzy'), 'unknown verb "xyzzy" | tend --help lists all verbs')
  assert.equal(refused('install x --dryrun'), 'unknown flag --dryrun | did you mean --dry-run?')
  assert.equal(refused('install x --verbos'), 'unknown flag --verbos | did you mean --verbose?')
  assert.equal(
    refused('list --dry-run'),
    'tend list does not take --dry-run | tend list --help lists what it takes',
  )
  assert.equal(refused('list -o jsn'), 'unknown output format "jsn" | did you mean json?')
  assert.equal(refused('help statsu'), 'unknown verb "statsu" | did you mean status?')
})

test('values that are none', () => {
  assert.match(refused('install x --timeout 30'), /"30" is not a time \| write 30s for seconds/)
  assert.match(refused('install x --timeout soon'), /write it like 30s/)
  assert.match(refused('install x --concurrency 0'), /"0" is out of range/)
  assert.match(refused('install x --wait=maybe'), /neither true nor false/)
  assert.match(refused('install x --set'), /--set needs a value: A.B/)
  assert.match(refused('uninstall'), /tend uninstall needs NAME\|PATH/)
  assert.match(refused('history a b'), /does not know what to do with: b/)
})

test('the format is known however wrong the rest is', () => {
  assert.equal(formatAsked(['instal', '-o', 'json']), 'json')
  assert.equal(formatAsked(['install', '--output=yaml', '--wrong']), 'yaml')
  assert.equal(formatAsked(['install', '-vojson']), 'json')
  assert.equal(formatAsked(['install', './json']), 'table')
})

test('help names every verb, and of every verb every flag', () => {
  const general = generalHelp().join('\n')
  for (const { name, flags } of verbs) {
    const [first = '', second] = name.split(' ')
    assert.match(general, new RegExp(`^  ${first} `, 'm'))
    if (second !== undefined && isGroupWord(first)) {
      assert.match(verbHelp(first).join('\n'), new RegExp(`^  ${second} `, 'm'))
    }
    const text = verbHelp(name).join('\n')
    for (const flag of flags) assert.ok(text.includes(`--${flag}`), `${name} ${flag}`)
  }
  assert.deepEqual(parse(['install', '--help']), { kind: 'help', verb: 'install' })
  assert.deepEqual(parse(['help', 'plan']), { kind: 'help', verb: 'plan' })
  assert.deepEqual(parse([]), { kind: 'help', verb: undefined })
  assert.deepEqual(parse(['--version']), { kind: 'version' })
})

test('whatever is typed, it is understood or refused with something to do', () => {
  const word = fc.oneof(
    fc.constantFrom('install', 'list', '-v', '-o', 'json', '--set', 'a=b', '--', '-', '--wait=no'),
    fc.string({ maxLength: 6 }),
  )
  fc.assert(
    fc.property(fc.array(word, { maxLength: 6 }), (args) => {
      try {
        parse(args)
      } catch (thrown) {
        assert.ok(thrown instanceof Problem)
        assert.ok(thrown.suggestion !== undefined)
      }
    }),
  )
})

test('one slip is forgiven, another word is not', () => {
  fc.assert(
    fc.property(fc.constantFrom(...verbs.map(({ name }) => name)), fc.nat(), (name, place) => {
      const at = place % name.length
      assert.equal(closest(name.slice(0, at) + name.slice(at + 1), [name]), name)
    }),
  )
  assert.equal(closest('zebra', ['install', 'list']), undefined)
})

test('verbs of two words, with flags of docker compose before or after them', () => {
  const { verb, flags } = asked(
    'compose -f a.yaml -p shop config -f b.yaml --profile x --hash --format json',
  )
  assert.equal(verb, 'compose config')
  assert.deepEqual(flags.project.files, ['a.yaml', 'b.yaml'])
  assert.equal(flags.project.name, 'shop')
  assert.deepEqual(flags.project.profiles, ['x'])
  assert.equal(flags.config.hashes, true)
  assert.equal(flags.config.format, 'json')
  assert.deepEqual(parse(['compose']), { kind: 'help', verb: 'compose' })
  assert.deepEqual(parse(['help', 'compose', 'config']), { kind: 'help', verb: 'compose config' })
  assert.equal(
    refused('compose confg'),
    'unknown verb "compose confg" | did you mean compose config?',
  )
  assert.equal(refused('compose config --format xml'), 'unknown format "xml" | use yaml or json')
  assert.equal(
    refused('compose config --values x'),
    'tend compose config does not take --values | tend compose config --help lists what it takes',
  )
})

test('up and down stand for the verbs of stacks', () => {
  const { verb, flags } = asked('up -f a.yaml --scale web=3 --scale db=0 --pull always --use-env')
  assert.equal(verb, 'compose up')
  assert.deepEqual(flags.stack.scale, { web: 3, db: 0 })
  assert.equal(flags.stack.pull, 'always')
  assert.equal(flags.stack.usesEnvironment, true)
  assert.equal(flags.stack.allowsOutside, false)
  const down = asked('down --volumes')
  assert.equal(down.verb, 'compose down')
  assert.equal(down.flags.pruneVolumes, true)
  assert.match(refused('up --scale web'), /^--scale web says no number/)
  assert.match(refused('up --pull sometimes'), /always, missing or never$/)
})

test('who comes from docker compose or Helm is told what to type', () => {
  const habits = [
    ['compose cp web:/a .', /docker compose -p NAME cp works on the containers/],
    ['pull', /tend up --pull always/],
    ['compose kill web', /docker compose -p NAME kill/],
    ['restart web', /podman restart or docker restart/],
    ['compose stauts', /did you mean compose status\?/],
    ['up web', /the whole stack/],
    ['up --remove-orphans', /is removed anyway/],
    ['down --rmi all', /images stay/],
    ['upgrade ./a --install', /installs what is not installed yet/],
  ] as const
  for (const [line, advice] of habits) {
    assert.throws(
      () => parse(line.split(' ')),
      (problem: unknown) => problem instanceof Problem && advice.test(problem.suggestion ?? ''),
      line,
    )
  }
})

test('behind the service of exec everything is the command', () => {
  const { words, flags } = asked('compose exec -T -e A=b web ls -la --help')
  assert.deepEqual(words, ['web', 'ls', '-la', '--help'])
  assert.deepEqual(flags.containers.environment, ['A=b'])
  assert.equal(flags.containers.hasNoTerminal, true)
})

test('-f of compose logs is --follow unless a file follows it', () => {
  function logs(line: string): readonly unknown[] {
    const { words, flags } = asked(line)
    return [words, flags.follows, flags.project.files]
  }
  assert.deepEqual(logs('compose logs web -f'), [['web'], true, []])
  assert.deepEqual(logs('compose logs -f web db'), [['web', 'db'], true, []])
  assert.deepEqual(logs('compose logs -f a.yaml web'), [['web'], false, ['a.yaml']])
  assert.deepEqual(logs('compose -f a.yaml logs -f'), [[], true, ['a.yaml']])
  assert.deepEqual(logs('logs shop -f'), [['shop'], true, []])
})
