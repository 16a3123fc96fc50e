/** Whatever a message says of a value that has a secret in it, it does not quote it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allowAll } from '#model/policy.ts'
import { messages, renderText } from '../../../../test/fake/stack-text.ts'

const secret = 'sw0rd:f!sh "x"'
const env = { '.env': `DB_PASSWORD='${secret}'\nURL="http://u/$DB_PASSWORD"\nNAME='${secret}'\n` }

function told(service: string, more = {}): string {
  const rendered = renderText(`services:\n  web:\n    image: x\n${service}`, more, env)
  const { problems, warnings, resources } = rendered
  // a path or a name that decides something can't be sealed: a run with problems keeps none of it
  const specs = problems.length > 0 ? [] : resources.map(({ spec }) => spec)
  return JSON.stringify([problems, warnings, specs])
}

test('every field that a variable can break, and what it becomes part of', () => {
  const fields = [
    'cpus: ${DB_PASSWORD}',
    'privileged: ${DB_PASSWORD}',
    'mem_limit: ${DB_PASSWORD}',
    'ports: ["${DB_PASSWORD}:80"]',
    'ports: ["80:${DB_PASSWORD}"]',
    'volumes: ["${DB_PASSWORD}"]',
    'volumes: ["a:/b:${DB_PASSWORD}"]',
    'depends_on: ["${DB_PASSWORD}"]',
    'networks: ["${DB_PASSWORD}"]',
    'secrets: ["${DB_PASSWORD}"]',
    'configs: ["${DB_PASSWORD}"]',
    'restart: ${DB_PASSWORD}',
    'stop_grace_period: ${DB_PASSWORD}',
    'healthcheck: { interval: "${DB_PASSWORD}", test: ["CMD", "${DB_PASSWORD}"] }',
    'pull_policy: ${DB_PASSWORD}',
    'ulimits: { nofile: "${DB_PASSWORD}" }',
    'env_file: ["${DB_PASSWORD}.env"]',
    'extends: { service: "${DB_PASSWORD}" }',
    'build: { context: ., ssh: ["${DB_PASSWORD}"] }',
    'environment: { X: "${MISSING:?$DB_PASSWORD}" }',
    'command: ["--url=${URL}"]',
    'hostname: ${URL}',
    'labels: { a: "${URL}" }',
    'user: ${DB_PASSWORD}',
    'tmpfs: ["/x:${DB_PASSWORD}"]',
  ]
  for (const field of fields) {
    const text = told(`    ${field}`)
    for (const part of ['sw0rd', 'f!sh']) assert.ok(!text.includes(part), `${field}: ${text}`)
  }
})

test('what a variable holds is told where nobody calls it secret', () => {
  assert.match(told('    cpus: ${NAME}'), /must be a number, not/)
  const policy = { ...allowAll, secretVariables: ['NA*'] }
  assert.ok(!told('    cpus: ${NAME}', { policy }).includes('sw0rd'))
})

test('an env file that can not be read is named with its line, and nothing of it is quoted', () => {
  const yaml = 'services: { web: { image: x, env_file: e.env } }'
  const broken = ['A="swordfish', 'swordfish x=1\n', 'A=${swordfish:\n', 'sword$fish=1\n']
  for (const text of broken) {
    const found = messages(renderText(yaml, {}, { 'e.env': `B=1\n${text}` }))
    assert.match(found.join(), /^2: /, text)
    assert.ok(!found.join().includes('sword'), found.join())
  }
})

test('a secret in the name of an image is shown, and a warning says so', () => {
  const found = told('    container_name: a-${DB_PASSWORD}').includes(
    'container_name has the value',
  )
  assert.ok(found)
  const policy = { ...allowAll, harmlessVariables: ['DB_*'] }
  assert.ok(!told('    container_name: a-${DB_PASSWORD}', { policy }).includes('has the value'))
})
