/** A stack and a chart with planted secrets, by every verb that a person types. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { busybox } from './image.ts'
import { told } from './planted-asked.ts'
import { envFile, plainNames, secretNames, stackFiles } from './planted-files.ts'
import type { Planted } from './planted.ts'
import type { Serving } from './serving.ts'

/** The same by hand, in a home of the same kind. */
export async function byHand(garden: Planted, serving: Serving): Promise<void> {
  const write = writerIn(serving)
  const files = stackFiles(garden, 'hand')
  write(files)
  const compose = files['hand/compose.yaml'] ?? ''
  const file = '-f hand/compose.yaml'
  for (const line of [
    `compose plan -v ${file}`,
    `compose up -v --yes ${file}`,
    `up -v --yes ${file}`,
  ]) {
    await told(garden, serving, line)
  }
  write({
    'hand/compose.yaml': compose.replace('WORD: one', 'WORD: two'),
    'hand/token.txt': garden.plant('a new token'),
  })
  for (const line of [
    `compose plan -v ${file}`,
    `compose plan -o json ${file}`,
    `up -v --yes ${file}`,
  ]) {
    await told(garden, serving, line)
  }
  write({ 'hand/compose.yaml': compose.replace('image:', 'cpus: ${SMTP_PW}\n    image:') })
  await told(garden, serving, `up -v --yes ${file}`)
  for (const line of [
    'status',
    'ps --format json',
    'images',
    'top',
    'logs web',
    'exec -T web true',
    'exec -T web no-such-program',
    'run --rm -T web true',
    'stop',
    'start',
    'restart',
    'pull',
    'history',
    'history -o json',
    'rollback --yes -v',
    'down --volumes --yes -v',
  ]) {
    const [verb = '', ...rest] = line.split(' ')
    await told(garden, serving, [`compose ${verb} -p hand`, ...rest].join(' '))
  }
}

export async function aChart(garden: Planted, serving: Serving): Promise<void> {
  const write = writerIn(serving)
  const values = secretNames
    .map((one) => `  ${one}: ${garden.plant(`${one} of values`)}\n`)
    .join('')
  const metadata = (kind: string, one: string) =>
    `apiVersion: cutepod/v1alpha0\nkind: ${kind}\nmetadata: { name: ${one}, labels: { told: "{{ .Values.app.BASIC_AUTH }}" } }\nspec:\n`
  write({
    'shop/Chart.yaml': 'name: shop\nversion: 1.0.0\n',
    'shop/values.yaml': `app:\n${values}plain: readable\n`,
    'shop/web.env': envFile(garden, 'web.env of a chart', [...plainNames, ...secretNames]),
    'shop/templates/web.yaml': `${metadata('CuteContainer', 'web')}  image: ${busybox}
  envFile: web.env
  command: [sh, -c, ": {{ .Values.app.DB_PASSWORD }}; exec sleep 100000"]
  env:
    - { name: WORD, value: "x{{ .Values.app.JWT }}" }
    - { name: DSN, value: "${garden.plant('env of a chart', 'postgres://u:%@db')}" }
  health: { type: exec, command: [sh, -c, "true {{ .Values.app.SMTP_PW }}"], intervalSeconds: 1 }
---
${metadata('CuteSecret', 'token')}  stringData: { token: ${garden.plant('a secret of a chart')} }
`,
  })
  const flags = `--set-string app.extraToken=${garden.plant('--set')}`
  // what a person types is on the command line of that person's own program
  const [name = '', secret = ''] = flags.slice('--set-string '.length).split('=')
  write({ 'more.yaml': `app: { ${name.slice('app.'.length)}: ${secret} }\n` })
  for (const line of [
    'lint shop',
    'template shop',
    'install shop -v -f more.yaml',
    'status shop -o json',
  ]) {
    await told(garden, serving, line)
  }
  const broken = 'spec:\n  image: x\n  cpu: "{{ .Values.app.DB_PASSWORD }}"\n'
  write({
    'shop/templates/bad.yaml': `apiVersion: cutepod/v1alpha0\nkind: CuteContainer\nmetadata: { name: bad }\n${broken}`,
  })
  for (const line of [
    'plan shop',
    'upgrade shop -v',
    'lint shop',
    'template shop --debug',
    'reinit shop',
    'history shop',
    'rollback shop --yes -v',
    'logs shop web',
    'list -o json',
    'uninstall shop --yes -v',
  ]) {
    await told(garden, serving, line)
  }
}

function writerIn({ folder }: Serving): (files: Record<string, string>) => void {
  return (files) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(folder, path, '..'), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
  }
}
