import assert from 'node:assert/strict'
import { test } from 'node:test'
import { broken, isImmutable, refusal } from './problem.ts'
import { ConnectionError } from '#clients/http/connection.ts'

type Facts = { readonly reason?: string; readonly message?: string; readonly causes?: unknown[] }

function read(code: number, { reason, message = 'no', causes = [] }: Facts = {}) {
  const details = { name: 'web', causes }
  const status = { kind: 'Status', status: 'Failure', message, reason, code, details }
  return refusal('could not apply ConfigMap default/web', code, JSON.stringify(status))
}

test('each class of refusal is told from the others', () => {
  const table: readonly [number, Facts, string, string, boolean][] = [
    [400, {}, 'validation', 'bad_value', false],
    [
      400,
      { message: 'strict decoding error: unknown field "x"' },
      'validation',
      'unknown_field',
      false,
    ],
    [
      500,
      { message: 'failed: .spec.x: field not declared in schema' },
      'validation',
      'unknown_field',
      false,
    ],
    [401, {}, 'configuration', 'unauthorized', false],
    [403, {}, 'runtime', 'forbidden', false],
    [403, { causes: [{ reason: 'NamespaceTerminating' }] }, 'runtime', 'conflict', true],
    [404, {}, 'runtime', 'not_found', false],
    [405, {}, 'runtime', 'unsupported', false],
    [409, { reason: 'AlreadyExists' }, 'runtime', 'name_taken', false],
    [409, { reason: 'Conflict' }, 'runtime', 'conflict', true],
    [409, { causes: [{ reason: 'FieldManagerConflict' }] }, 'runtime', 'conflict', false],
    [409, { message: 'Precondition failed: UID in precondition' }, 'runtime', 'conflict', false],
    [413, {}, 'runtime', 'too_large', false],
    [422, { reason: 'Invalid' }, 'validation', 'bad_value', false],
    [429, {}, 'runtime', 'too_many', true],
    [500, { reason: 'InternalError' }, 'runtime', 'api_error', true],
    [500, { reason: 'ServerTimeout' }, 'runtime', 'timed_out', true],
    [503, {}, 'runtime', 'api_error', true],
    [504, { reason: 'Timeout' }, 'runtime', 'timed_out', true],
  ]
  for (const [code, facts, ...expected] of table) {
    const { type, code: ours, recoverable } = read(code, facts)
    assert.deepEqual([type, ours, recoverable], expected, `${code} ${JSON.stringify(facts)}`)
  }
})

test("Kubernetes' own words and causes are kept", () => {
  const causes = [
    { field: 'spec.replicas', message: 'must be at least 0', reason: 'FieldValueInvalid' },
  ]
  const problem = read(422, { message: 'Deployment "web" is invalid', causes })
  assert.equal(
    problem.message,
    'could not apply ConfigMap default/web: Deployment "web" is invalid',
  )
  assert.deepEqual(problem.details, ['spec.replicas: must be at least 0'])
})

test('a path that is not served is not an object that is not there', () => {
  const page = refusal('could not list things', 404, '404 page not found\n')
  assert.deepEqual([page.code, page.recoverable], ['unknown_kind', true])
  const body = { kind: 'Status', message: 'the server could not find the requested resource' }
  assert.equal(refusal('x', 404, JSON.stringify(body)).code, 'unknown_kind')
})

test('only a field that can not be changed makes an object one to be replaced', () => {
  const immutable = { message: 'field is immutable', field: 'spec.selector' }
  const wrong = { message: 'must be at least 0', field: 'spec.replicas' }
  assert.ok(isImmutable(read(422, { causes: [immutable] })))
  assert.ok(!isImmutable(read(422, { causes: [immutable, wrong] })))
  assert.ok(!isImmutable(read(422, { causes: [wrong] })))
  assert.ok(!isImmutable(read(409, { message: 'field is immutable' })))
})

test('a server that is not trusted is not tried again; one that is away is', () => {
  const at = (code: string) =>
    broken('could not ask', 'https://x', new ConnectionError(code, 'e', undefined))
  assert.equal(at('ECONNREFUSED').recoverable, true)
  assert.equal(at('SILENT').code, 'timed_out')
  const untrusted = at('SELF_SIGNED_CERT_IN_CHAIN')
  assert.equal(untrusted.recoverable, false)
  assert.match(untrusted.suggestion ?? '', /certificate-authority-data/)
  assert.equal(at('ERR_SSL_WRONG_VERSION_NUMBER').recoverable, false)
})
