/** Every reader of texts that others write: what it is given to begin with, and how it is called. What it may throw, it catches. */
import { readFileSync } from 'node:fs'
import { declarationsFrom } from '#controller/declare/declarations-from.ts'
import { readEnvFile } from '#domains/charts/render/env-file.ts'
import { renderChart } from '#domains/charts/render/render.ts'
import { input, manifest } from '../fake/chart.ts'
import { declaredIn } from '#domains/fleet/rows-yaml.ts'
import { settingsIn } from '#domains/fleet/settings.ts'
import { judgeDockerfile } from '#domains/stacks/dockerfile/asks.ts'
import { printDockerfile } from '#domains/stacks/dockerfile/print.ts'
import { dockerIgnore } from '#domains/stacks/dockerignore.ts'
import { compile } from '#formats/cel/compile.ts'
import { CelError } from '#formats/cel/error.ts'
import { buildKustomization } from '#formats/kustomize/build.ts'
import { KustomizeError } from '#formats/kustomize/error.ts'
import { decryptFile, keyringOf } from '#formats/sops/decrypt.ts'
import { encryptedFormatOf } from '#formats/sops/encrypted-format.ts'
import { SopsError } from '#formats/sops/error.ts'
import { readYaml } from '#formats/yaml/read-yaml.ts'
import { chartDeclaration } from '#kinds/charts/declaration.ts'
import { stackDeclaration } from '#kinds/stacks/declaration.ts'
import { linesIn } from '#clients/git/blame.ts'
import { Problem } from '#model/problem.ts'
import { withoutSecretShapes } from '#model/secret-shapes.ts'
import { pushesIn } from '#server/hooks/pushes.ts'
import { ignoreRules } from '#sources/ignore.ts'
import { versionRange } from '#sources/git/version-range.ts'
import { renderText } from '../fake/stack-text.ts'

export type Parser = {
  readonly name: string
  readonly seeds: readonly string[]
  /** How many of a hundred inputs are for it. */
  readonly share: number
  read(text: string): unknown
}

type Case = { readonly encrypted: string }
const sops: { readonly key: string; readonly cases: readonly Case[] } = JSON.parse(
  readFileSync('test/conformance/cases/sops.json', 'utf8'),
)
const keyring = await keyringOf([sops.key])

const compose = `name: shop
x-a: &a { restart: always }
services:
  web:
    <<: *a
    image: "app:\${TAG:-1}"
    command: [a, "\${B:?must be set}"]
    ports: ["8080:80/tcp", { target: 1 }]
    environment: { A: 1, B: "\${A}" }
    env_file: [{ path: e.env, required: false }]
    volumes: ["./a:/b:ro", "v:/c"]
    depends_on: { db: { condition: service_healthy } }
    healthcheck: { test: "exit 0", interval: 1m30s }
  db: { image: y, extends: { service: web } }
volumes: { v: { driver_opts: { o: bind } } }
secrets: { s: { environment: A } }
include: [other.yaml]
`
const container = manifest(
  'CuteContainer',
  'web',
  'image: "x:{{ .Values.tag | default "1" | quote }}"\n{{- range $i, $x := until 3 }}\nenv: [{name: "A{{ $i }}", value: {{ printf "%05d" $x }}}]{{ end }}\n{{ include "a" . }}',
)
const tendYaml = `listen: 127.0.0.1:8080
sources: { infra: { git: https://git.test/x.git, ref: main } }
defaults: { interval: 1m, security: { shared: [network/proxy] }, labels: { team: web } }
apps:
  - { stack: web, path: web, values: { A: 1 }, windows: [{ schedule: "0 2 * * *", duration: 2h }] }
  - { chart: shop, namespace: a, dependsOn: ["stack:web"] }
discover: [{ path: all, depth: 2, include: ["a/**"] }]
hooks: [{ kind: github, secret: { variable: A } }]
`
const kustomization = `resources: [a.yaml, ../base]
namePrefix: x-
commonLabels: { a: b }
patches: [{ target: { kind: Deployment }, patch: '[{"op":"replace","path":"/spec/replicas","value":2}]' }]
configMapGenerator: [{ name: c, literals: [a=b], files: [f.txt] }]
images: [{ name: x, newTag: "2" }]
replacements: [{ source: { kind: A, fieldPath: a.b }, targets: [{ select: { kind: B }, fieldPaths: [c.d] }] }]
`
const object = 'apiVersion: v1\nkind: Deployment\nmetadata: { name: x }\nspec: { replicas: 1 }\n'

export const parsers: readonly Parser[] = [
  { name: 'compose', share: 22, seeds: [compose], read: (text) => renderText(text) },
  {
    name: 'env_file',
    share: 10,
    seeds: ['A=1\nexport B="two $A ${C:-x}"\n# c\nD=\'x\'\nE: y\nPEM="a\nb"\n'],
    read(text) {
      readEnvFile(text)
      renderText(
        'services: { a: { image: x, env_file: e.env } }',
        {},
        { '.env': text, 'e.env': text },
      )
    },
  },
  {
    name: 'template',
    share: 12,
    seeds: [
      container,
      '{{ define "a" }}{{ toYaml .Values | nindent 2 }}{{ end }}{{ tpl "{{ 1 }}" . }}',
    ],
    read: (text) => renderChart(input({ 'values.yaml': 'tag: 1\n', 'templates/web.yaml': text })),
  },
  {
    name: 'chart values',
    share: 6,
    seeds: ['a: &x { b: [1, no, 0777, 1e3, ~], c: |\n  text\n }\nd: *x\n'],
    read: (text) => renderChart(input({ 'values.yaml': text, 'templates/web.yaml': container })),
  },
  {
    name: 'kustomize',
    share: 12,
    seeds: [kustomization, object],
    read: expecting(KustomizeError, (text) => {
      const all: Record<string, string> = {
        'kustomization.yaml': text,
        'a.yaml': text,
        'f.txt': text,
      }
      const files = {
        read: (path: string) => (all[path] === undefined ? undefined : Buffer.from(all[path])),
        isDirectory: (path: string) => path === '',
        list: () => Object.keys(all),
      }
      return buildKustomization({ files, path: '' })
    }),
  },
  {
    name: 'sops',
    share: 4,
    seeds: sops.cases.map(({ encrypted }) => encrypted).filter((text) => text.length < 20_000),
    read: async (text) => {
      try {
        await decryptFile(
          Buffer.from(text),
          keyring,
          encryptedFormatOf(Buffer.from(text)) ?? 'yaml',
        )
      } catch (error) {
        if (!(error instanceof SopsError)) throw error
      }
    },
  },
  {
    name: 'cel',
    share: 10,
    seeds: [
      'status.conditions.filter(c, c.type == "Ready").all(c, c.status == "True")',
      'has(a.b) ? "x".matches("^(a+)+$") : [1, 2u, 3.5].map(x, x * 2)[0] > 1 && size("y") in [1]',
    ],
    read: expecting(CelError, (text) =>
      compile(text).evaluate({
        status: { conditions: [{ type: 'Ready', status: 'True' }] },
        a: { b: 1 },
      }),
    ),
  },
  {
    name: 'tend.yaml',
    share: 6,
    seeds: [tendYaml],
    read: (text) =>
      declarationsFrom({
        files: [{ path: '/etc/tend.yaml', text }],
        environment: {},
        kinds: [stackDeclaration, chartDeclaration],
      }),
  },
  {
    name: 'fleet.yaml',
    share: 4,
    seeds: [
      'name: lab\nproxy: { domain: x.test }\nargocd: { namespace: a }\n',
      '- name: a\n  provider: kind\n',
    ],
    read(text) {
      settingsIn(text, 'fleet.yaml')
      declaredIn(text, 'clusters.yaml')
    },
  },
  {
    name: 'Dockerfile',
    share: 4,
    seeds: [
      '# escape=`\nARG A=1\nFROM x:${A} AS b\nRUN --mount=type=bind,target=/x a \\\n b\nCOPY ["a","b"]\n',
      'FROM x\nRUN cat <<E > /y\n$a\nE\nENV A="b c" D=\'e\' F=${G:-h}\nONBUILD ADD a b /c/\n',
    ],
    read(text) {
      const { dockerfile } = judgeDockerfile(text, { A: text.slice(0, 20) })
      if (dockerfile !== undefined) printDockerfile(dockerfile, 'LABEL a=b')
    },
  },
  {
    name: '.dockerignore',
    share: 4,
    seeds: ['*a*a*ab\n!**/x\n[a-z]?\n# c\n', 'node_modules/\n*.log\n\\#x\n'],
    read: expecting(Problem, (text) => {
      dockerIgnore(text)('a'.repeat(40))
      ignoreRules(text)('a'.repeat(40), false)
    }),
  },
  {
    name: 'HTTP bodies',
    share: 4,
    seeds: [
      '{"ref":"refs/heads/main","repository":{"clone_url":"https://x/y.git"},"push":{"changes":[]}}',
    ],
    read: expecting(Problem, (text) => {
      pushesIn(Buffer.from(text), 'application/json')
      pushesIn(Buffer.from(text), 'application/x-www-form-urlencoded')
    }),
  },
  {
    name: 'git output',
    share: 3,
    seeds: [
      `${'a'.repeat(40)} 1 1 1\nauthor A\nauthor-time 1\nsummary s\n\ttext\n`,
      '>=1.2.0 <2 || ~3.1',
    ],
    read(text) {
      linesIn(text)
      versionRange(text)
    },
  },
  { name: 'yaml', share: 2, seeds: [compose, tendYaml], read: (text) => readYaml(text) },
  {
    name: 'shapes',
    share: 1,
    seeds: ['postgres://a:b@c eyJa.b.c pwd=x'],
    read: withoutSecretShapes,
  },
]

/** Anything else than this error is a crash. */
function expecting(
  known: { [Symbol.hasInstance](value: unknown): boolean },
  read: (text: string) => unknown,
): (text: string) => unknown {
  return (text) => {
    try {
      return read(text)
    } catch (error) {
      if (known[Symbol.hasInstance](error)) return undefined
      throw error
    }
  }
}
