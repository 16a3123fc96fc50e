/** What a hostile Kustomization or GitRepository asks for, and what is said of it. */
import { configMap, type Fields } from '../testbed/flux-world.ts'
import { join } from 'node:path'

export type Attack = {
  readonly files: Readonly<Record<string, string>>
  readonly links?: Readonly<Record<string, string>>
  readonly spec?: Fields
  readonly said: RegExp
}

const list = (...lines: readonly string[]): string => `${lines.join('\n')}\n`
const aliases = Array.from(
  { length: 9 },
  (_, i) => `y${i}: &a${i + 1} [${`*a${i},`.repeat(10)}]\n`,
).join('')
export const deep = (depth: number): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Array.from({ length: depth }, (_, i) => [
      `${'d/'.repeat(i)}kustomization.yaml`,
      i + 1 === depth ? 'configMapGenerator: [{ name: a }]\n' : 'resources: [d]\nnamePrefix: x\n',
    ]),
  )

/** By the name of the folder. What is said begins with the file and the line. */
export function attacks(host: string, home: string): Readonly<Record<string, Attack>> {
  const build = (
    text: string,
    said: RegExp,
    links: Readonly<Record<string, string>> = {},
  ): Attack => ({
    files: { 'kustomization.yaml': text },
    links,
    said,
  })
  return {
    absolute: build(`resources: [${host}/map.yaml]\n`, /kustomization\.yaml:1.*map\.yaml/),
    up: build('resources: [../../../../../../../../etc]\n', /kustomization\.yaml:1/),
    'base-link': build('resources: [base]\n', /kustomization\.yaml:1.*base/, { base: host }),
    'file-link': build('resources: [a.yaml]\n', /kustomization\.yaml:1.*a\.yaml/, {
      'a.yaml': join(host, 'map.yaml'),
    }),
    'generator-link': build(
      list('configMapGenerator:', '- name: stolen', '  files: [l]'),
      /kustomization\.yaml:\d.*\bl\b/,
      { l: join(host, 'canary') },
    ),
    'generator-home': build(
      list('configMapGenerator:', '- name: stolen', `  files: [${home}/canary]`),
      /kustomization\.yaml:\d.*canary/,
    ),
    'env-link': build(
      list('configMapGenerator:', '- name: stolen', '  envs: [l]'),
      /kustomization\.yaml:\d.*\bl\b/,
      { l: join(home, 'canary') },
    ),
    'secret-link': build(
      list('secretGenerator:', '- name: stolen', '  files: [l]'),
      /kustomization\.yaml:\d.*\bl\b/,
      { l: join(home, 'key') },
    ),
    'patch-link': build(
      list('configMapGenerator: [{ name: a }]', 'patches:', '- path: l'),
      /kustomization\.yaml:\d.*\bl\b/,
      { l: join(host, 'map.yaml') },
    ),
    'component-up': build(`components: [${host}]\n`, /kustomization\.yaml:1/),
    'crds-link': build(
      list('configMapGenerator: [{ name: a }]', 'crds: [l]'),
      /kustomization\.yaml:2.*\bl\b/,
      { l: join(host, 'canary') },
    ),
    remote: build('resources: ["https://github.com/acme/base"]\n', /kustomization\.yaml:1.*acme/),
    'remote-ext': build(`resources: ["ext::sh -c touch% ${host}/ran"]\n`, /kustomization\.yaml:1/),
    'remote-option': build(
      `resources: ["git::--upload-pack=touch ${host}/ran"]\n`,
      /kustomization\.yaml:1/,
    ),
    'remote-file': build(`resources: ["file://${host}"]\n`, /kustomization\.yaml:1/),
    helm: build(
      list('helmCharts:', '- name: x', '  repo: https://charts.test'),
      /kustomization\.yaml:\d.*helm/i,
    ),
    exec: {
      files: {
        'kustomization.yaml': 'transformers: [t.yaml]\n',
        't.yaml': list(
          'apiVersion: x/v1',
          'kind: X',
          'metadata:',
          '  name: x',
          `  annotations: { config.kubernetes.io/function: "exec: { path: /bin/touch, args: [${host}/ran] }" }`,
        ),
      },
      said: /(kustomization|t)\.yaml:\d/,
    },
    container: {
      files: {
        'kustomization.yaml': 'generators: [t.yaml]\n',
        't.yaml': list(
          'apiVersion: x/v1',
          'kind: X',
          'metadata:',
          '  name: x',
          '  annotations: { config.kubernetes.io/function: "container: { image: evil, network: true }" }',
        ),
      },
      said: /(kustomization|t)\.yaml:\d/,
    },
    circle: {
      files: {
        'kustomization.yaml': 'resources: [a]\n',
        'a/kustomization.yaml': 'resources: [../../circle]\n',
      },
      said: /kustomization\.yaml:1/,
    },
    aliases: {
      files: {
        'kustomization.yaml': 'resources: [a.yaml]\n',
        'a.yaml': `x: &a0 [1,1,1,1,1,1,1,1,1,1]\n${aliases}`,
      },
      said: /a\.yaml:\d/,
    },
    brackets: {
      files: {
        'kustomization.yaml': 'resources: [a.yaml]\n',
        'a.yaml': `data: ${'['.repeat(100_000)}\n`,
      },
      said: /a\.yaml:\d/,
    },
    controls: {
      files: { 'a.yaml': configMap('"a\\u009b31m\\e[2J"', 'x') },
      said: /a\.yaml:\d/,
    },
    encrypted: {
      files: {
        'a.yaml': `${configMap('a', 'ENC[AES256_GCM,data:x,iv:x,tag:x,type:str]')}sops: { mac: x, lastmodified: x, age: [], encrypted_regex: ^(a+)+$ }\n`,
      },
      spec: { decryption: { provider: 'sops' } },
      said: /a\.yaml:\d/,
    },
    foreign: {
      files: { 'a.yaml': configMap('victim', 'taken') },
      said: /a\.yaml:\d+.*Kustomization flux-system\/victim/,
    },
    'path-up': { files: {}, spec: { path: './../../../../etc' }, said: /path/ },
  }
}

/** Of GitRepositories: the address or the ref is itself the attack, and the object's field is named. */
export const hostileSources = (host: string, bare: string): Readonly<Record<string, Fields>> => ({
  ext: { url: `ext::sh -c touch% ${host}/ran` },
  option: { url: `--upload-pack=touch ${host}/ran` },
  file: { url: `file://${bare}` },
  path: { url: bare },
  'ref-option': { ref: { branch: `--upload-pack=touch ${host}/ran` } },
  'ref-name': { ref: { name: '../../../../etc/passwd' } },
})
