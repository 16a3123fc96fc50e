/** Applications that a service follows and whose files SOPS encrypted: under names that say nothing, so that only where it came from tells. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { busybox } from './image.ts'
import type { Bench } from './git.ts'
import type { Planted } from './planted.ts'
import type { Serving } from './serving.ts'
import { ageKey, sopsDotenv, sopsTree, type AgeKey } from './sops.ts'

const names = ['COLOUR', 'SIZE', 'REGION', 'TASTE']

export type Encrypted = {
  /** Lines of `apps:` in tend.yaml. */
  readonly apps: string
  readonly keys: readonly string[]
  /** What goes wrong, commit by commit, with what is said of it. */
  readonly failures: readonly (readonly [Record<string, string>, RegExp])[]
  /** Brings back what is right. */
  readonly mend: () => void
}

/** Commits the files. `hasChart`: on an engine that charts run on. */
export async function encryptedApps(
  garden: Planted,
  serving: Serving,
  git: Bench,
  hasChart: boolean,
): Promise<Encrypted> {
  const key = await ageKey()
  const keyFile = join(serving.folder, 'age.key')
  writeFileSync(keyFile, `${key.identity}\n`, { mode: 0o600 })
  const files = {
    ...(await stackOf(garden, key)),
    ...(hasChart ? await chartOf(garden, key) : {}),
  }
  git.commit('encrypted', files)
  const how = `interval: off, timeout: 20s, decryption: { keyFiles: [${keyFile}] }`
  const apps = [
    `  - { stack: crypt, path: crypt, ${how} }\n`,
    ...(hasChart ? [`  - { chart: vault, path: vault, ${how} }\n`] : []),
  ]
  const compose = files['crypt/compose.yaml'] ?? ''
  const other = await ageKey()
  const failures: [Record<string, string>, RegExp][] = [
    [
      { 'crypt/compose.yaml': compose.replace('hostname:', 'cpus: ${SIZE}\n    hostname:') },
      /number/,
    ],
    [
      { 'crypt/compose.yaml': compose, 'crypt/web.env': await envOf(garden, other, 'another key') },
      /web\.env/,
    ],
    [{ 'crypt/web.env': (files['crypt/web.env'] ?? '').replace('COLOUR=', 'OTHER=') }, /decrypted/],
  ]
  const mend = (): void => {
    git.commit('good again', {
      ...files,
      'crypt/compose.yaml': compose.replace('WORD: one', 'WORD: two'),
    })
  }
  const keys = ['stack:crypt', ...(hasChart ? ['chart:vault'] : [])]
  return { apps: apps.join(''), keys, failures, mend }
}

function envOf(garden: Planted, key: AgeKey, where: string): Promise<string> {
  const values = names.map((name) => [name, garden.plant(`${name} of ${where}`)])
  return sopsDotenv(Object.fromEntries(values), key)
}

async function stackOf(garden: Planted, key: AgeKey): Promise<Record<string, string>> {
  return {
    'crypt/.env': await envOf(garden, key, 'crypt/.env'),
    'crypt/web.env': await envOf(garden, key, 'crypt/web.env'),
    'crypt/token.txt': await sopsTree({ data: garden.plant('crypt/token.txt') }, key),
    'crypt/compose.yaml': `
services:
  web:
    image: ${busybox}
    command: [sh, -c, ": \${COLOUR}; exec sleep 100000"]
    env_file: [web.env]
    environment: { WORD: one, TOLD: "x\${TASTE}y" }
    hostname: h\${REGION}
    labels: { told: "\${SIZE}" }
    stop_grace_period: 0s
    secrets: [token]
secrets: { token: { file: token.txt } }
`,
  }
}

async function chartOf(garden: Planted, key: AgeKey): Promise<Record<string, string>> {
  const app = {
    colour: garden.plant('vault/values.yaml'),
    size: garden.plant('vault/values.yaml'),
    taste: garden.plant('vault/values.yaml'),
  }
  const metadata = (kind: string, name: string): string =>
    `apiVersion: cutepod/v1alpha0\nkind: ${kind}\nmetadata: { name: ${name}, labels: { told: "{{ .Values.app.taste }}" } }\nspec:\n`
  return {
    'vault/Chart.yaml': 'name: vault\nversion: 1.0.0\n',
    'vault/values.yaml': await sopsTree({ app }, key, 'yaml'),
    'vault/web.env': await envOf(garden, key, 'vault/web.env'),
    'vault/token.txt': await sopsTree({ data: garden.plant('vault/token.txt') }, key),
    'vault/templates/web.yaml': `${metadata('CuteContainer', 'web')}  image: ${busybox}
  envFile: web.env
  command: [sh, -c, ": {{ .Values.app.colour }}; exec sleep 100000"]
  env: [{ name: WORD, value: "x{{ .Values.app.size }}" }]
---
${metadata('CuteSecret', 'token')}  files: { token: token.txt }
`,
  }
}
