/** Patterns and texts of a repository that once took minutes or for ever: each is answered, on texts of a hundred thousand letters. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutIgnored } from '#kinds/kustomizations/source-ignore.ts'
import { readEnvFile } from '#domains/charts/render/env-file.ts'
import { matchesSelector } from '#domains/kustomizations/observe/label-selector.ts'
import { dockerIgnore } from '#domains/stacks/dockerignore.ts'
import { compile } from '#formats/cel/compile.ts'
import { buildKustomization } from '#formats/kustomize/build.ts'
import { readMetadata } from '#formats/sops/metadata.ts'
import { parseTemplates } from '#formats/template/render.ts'
import { ignoreRules } from '#sources/ignore.ts'
import { filesOf } from './conformance/kustomize.ts'

const many = 100_000
const letters = `${'a'.repeat(many)}!`

function rendered(text: string, values: Readonly<Record<string, string>> = {}): string {
  const limits = { outputBytes: 1 << 24, steps: 10_000_000, depth: 1000 }
  const seed = new Uint8Array([1])
  const options = { missingKey: 'zero', now: 0, seed, limits } as const
  return parseTemplates([{ path: 'a', text }], options).render('a', { Values: values })
}

const hostile: Readonly<Record<string, () => unknown>> = {
  '.dockerignore with many stars': () => dockerIgnore('*a*a*a*a*a*a*ab')('a'.repeat(many)),
  '.dockerignore with many stars for folders': () =>
    dockerIgnore('**/a/**/a/**/a/**/b')('a/'.repeat(many / 2)),
  '.helmignore with brackets that nothing closes': () => ignoreRules('['.repeat(many))('a', false),
  '.sourceignore with many stars for folders': () => {
    const deep = `${'a/'.repeat(60)}c`
    const files: Readonly<Record<string, string>> = {
      '.sourceignore': `${'**/a/'.repeat(20)}b\n`,
      [deep]: 'x',
    }
    const read = (path: string) =>
      files[path] === undefined ? undefined : Buffer.from(files[path])
    const tree = { root: '', list: () => Object.keys(files), read }
    return withoutIgnored(tree, undefined).read(deep) === undefined
  },
  'encrypted_regex of SOPS': () =>
    readMetadata({ age: [{ enc: 'x' }], mac: 'x', encrypted_regex: '^(a+)+$' }).isEncrypted([
      letters,
    ]),
  'matches of CEL': () => compile("x.matches('^(a|a)*$')").evaluate({ x: letters }),
  'calls in a row in CEL': () => compile(`x${'.all()'.repeat(60)} == 1`) === undefined,
  'regexMatch in a template': () =>
    rendered('{{ regexMatch "^(a|aa)+$" .Values.x }}', { x: letters }) === 'true',
  'a version constraint with many spaces': () =>
    rendered('{{ semverCompare .Values.x "1.2.3" }}', { x: `${'1  '.repeat(300)}!` }),
  'a selector of kustomize': () => {
    const files = {
      'kustomization.yaml': `resources: [a.yaml]\npatches: [{ target: { name: (a|a)*b }, patch: '[]' }]\n`,
      'a.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${'a'.repeat(250)} }\n`,
    }
    return buildKustomization({ files: filesOf({ files }), path: '' }).text === ''
  },
  'a label selector of blanks': () => matchesSelector(`a${' '.repeat(many)}b`, {}),
  'an env file with a quote that is never closed': () =>
    readEnvFile(`A="${'x\n'.repeat(many / 2)}`).faults.length === 0,
}

for (const [name, work] of Object.entries(hostile)) {
  test(`answered: ${name}`, () => {
    let answer: unknown
    try {
      answer = work()
    } catch (error) {
      assert.match(
        String(error),
        /improper constraint|too many|no duration|costs more than an expression may/,
      )
      answer = false
    }
    assert.equal(answer, false)
  })
}
