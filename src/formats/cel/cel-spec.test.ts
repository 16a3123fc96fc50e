/** The conformance cases of the CEL specification: all of them, save those of features that are not there, which are counted here. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tests } from '@bufbuild/cel-spec/testdata/conformance.js'
import { compile } from './compile.ts'
import { CelError } from './error.ts'
import {
  Duration,
  isListValue,
  MapValue,
  Timestamp,
  TypeName,
  typeOf,
  Uint,
  type Value,
} from './values.ts'

type Json = { readonly [key: string]: Json } | readonly Json[] | string | number | boolean | null
type Case = {
  readonly path: string
  readonly name: string
  readonly expr: string
  readonly all: Json
}

const cases = casesIn(tests, '')

/** What is not there, and how many cases need it: a case that moves from one to another shows. */
const absent: readonly (readonly [why: string, count: number, isIt: (given: Case) => boolean])[] = [
  [
    'messages of protocol buffers, their enumerations and wrappers',
    693,
    ({ path, all }) =>
      /^(?:proto2|proto3|proto2_ext)\//.test(path) ||
      /TestAllTypes|TestRequired|NullValue|google\.protobuf\.(?!Timestamp|Duration)|cel\.expr\.conformance\.proto/.test(
        JSON.stringify(all),
      ),
  ],
  ['the extension cel.bind', 5, ({ expr }) => expr.includes('cel.bind')],
  ['the extension cel.block', 25, ({ expr }) => /cel\.(?:block|index|iterVar)/.test(expr)],
  ['the extension math', 199, ({ path }) => path.startsWith('math_ext/')],
  ['macros with two variables', 46, ({ path }) => path.startsWith('macros2/')],
  [
    'types at compile time',
    26,
    ({ all }) => of(all, 'checkOnly') !== undefined || of(all, 'typedResult') !== undefined,
  ],
  ['containers that names are looked up in', 2, ({ path }) => path === 'namespace/namespace'],
]

/** cel-go, which Kubernetes and Flux use, answers otherwise than the specification; so do we. */
const asCelGo = new Set([
  'timestamps/duration_converters/get_milliseconds',
  'fields/qualified_identifier_resolution/map_value_repeat_key',
  'fields/qualified_identifier_resolution/map_value_repeat_key_heterogeneous',
])

const counts = new Map<string, number>()
let run = 0
for (const given of cases) {
  const why = absent.find(([, , isIt]) => isIt(given))?.[0]
  if (why !== undefined) counts.set(why, (counts.get(why) ?? 0) + 1)
  else if (!asCelGo.has(`${given.path}/${given.name}`)) {
    run++
    test(`CEL specification: ${given.path} ${given.name}`, () => examine(given))
  }
}

test('so many cases are run, and so many need what is not there', () => {
  const expected = Object.fromEntries(absent.map(([why, count]) => [why, count]))
  assert.deepEqual(Object.fromEntries(counts), expected)
  assert.deepEqual([cases.length, run], [2344, 1345])
})

function examine({ expr, all }: Case): void {
  const bindings = Object.entries(recordOf(of(all, 'bindings') ?? {}))
  const variables = new Map(bindings.map(([name, one]) => [name, valueOf(of(one, 'value')!)]))
  const evaluate = () => compile(expr).evaluateValues(variables)
  if (of(all, 'evalError') !== undefined) return assert.throws(evaluate, CelError)
  const wanted = of(all, 'value')
  const [expected, actual] = [wanted === undefined ? true : valueOf(wanted), evaluate()]
  assert.deepEqual(plain(actual), plain(expected))
}

type Suite = {
  readonly name: string
  readonly suites?: readonly Suite[]
  readonly tests?: readonly {
    readonly original: { readonly name?: string; readonly expr: string }
  }[]
}

function casesIn({ suites = [], tests: own = [] }: Suite, path: string): readonly Case[] {
  return [
    ...own.map(({ original }) => {
      const all: Json = JSON.parse(JSON.stringify(original))
      return { path, name: original.name ?? '', expr: original.expr, all }
    }),
    ...suites.flatMap((suite) =>
      casesIn(suite, path === '' ? suite.name : `${path}/${suite.name}`),
    ),
  ]
}

function recordOf(json: Json): { readonly [key: string]: Json } {
  assert.ok(typeof json === 'object' && json !== null && !isJsonList(json))
  return json
}

function isJsonList(json: Json): json is readonly Json[] {
  return Array.isArray(json)
}

function listOf(json: Json | undefined): readonly Json[] {
  return json !== undefined && isJsonList(json) ? json : []
}

function of(json: Json, key: string): Json | undefined {
  return recordOf(json)[key]
}

function textOf(json: Json | undefined): string {
  return typeof json === 'string' || typeof json === 'number' ? String(json) : assert.fail()
}

/** A value as protocol buffers write it in JSON. */
function valueOf(json: Json): Value {
  const [[kind, value] = ['', null]] = Object.entries(recordOf(json))
  switch (kind) {
    case 'nullValue':
      return null
    case 'boolValue':
      return value === true
    case 'int64Value':
      return BigInt(textOf(value))
    case 'uint64Value':
      return new Uint(BigInt(textOf(value)))
    case 'doubleValue':
      return Number(value)
    case 'stringValue':
      return textOf(value)
    case 'bytesValue':
      return Buffer.from(textOf(value), 'base64')
    case 'typeValue':
      return new TypeName(textOf(value))
    case 'listValue':
      return listOf(of(value, 'values')).map(valueOf)
    case 'mapValue': {
      const map = new MapValue()
      for (const entry of listOf(of(value, 'entries'))) {
        map.set(valueOf(of(entry, 'key')!), valueOf(of(entry, 'value')!))
      }
      return map
    }
    case 'objectValue': {
      const evaluated = compile(
        textOf(of(value, '@type')).endsWith('Duration') ? 'duration(x)' : 'timestamp(x)',
      )
      return evaluated.evaluateValues(new Map([['x', textOf(of(value, 'value'))]]))
    }
    default:
      return assert.fail(`a value of the kind ${kind}`)
  }
}

/** Comparable, with the type of each value. */
function plain(value: Value): unknown {
  const type = typeOf(value)
  if (isListValue(value)) return { type, items: value.map(plain) }
  if (value instanceof MapValue) {
    const entries = value.entries().map(([key, one]) => [JSON.stringify(plain(key)), plain(one)])
    return { type, entries: Object.fromEntries(entries) }
  }
  if (value instanceof Uint8Array) return { type, bytes: Buffer.from(value).toString('hex') }
  if (value instanceof Uint) return { type, value: String(value.value) }
  if (value instanceof Timestamp || value instanceof Duration)
    return { type, value: String(value.nanoseconds) }
  if (value instanceof TypeName) return { type, name: value.name }
  return { type, value: typeof value === 'bigint' ? String(value) : value === 0 ? 0 : value }
}
