/** What a cluster's API says when something goes wrong, as problems: its own message and causes, and whether trying again may help. */
import { ConnectionError } from '#clients/http/connection.ts'
import { numberOf, recordOf, recordsOf, textOf } from '#model/read-json.ts'
import type { JsonRecord } from '#model/json.ts'
import { Problem, type Code, type ProblemType } from '#model/problem.ts'

export type Cause = { readonly reason: string; readonly message: string; readonly field: string }

/** Kubernetes' own `Status`, read without trusting its shape. */
export type Status = {
  readonly code: number
  /** NotFound, Conflict, Invalid, … or nothing. */
  readonly reason: string
  readonly message: string
  readonly causes: readonly Cause[]
  /** The name of the object; empty where the path itself is not served. */
  readonly name: string
  readonly retryAfterSeconds: number
}

type Reading = {
  readonly type: ProblemType
  readonly code: Code
  readonly recoverable: boolean
  readonly suggestion?: string
}

/** `doing` begins the sentence: "could not apply ConfigMap default/web". */
export function refusal(doing: string, httpStatus: number, body: string): Problem {
  const status = statusOf(httpStatus, body)
  return new Problem({
    ...readingOf(status),
    message: `${doing}: ${status.message}`,
    // most often the message has them already
    details: status.causes.map(causeText).filter((text) => !status.message.includes(text)),
    cause: status,
  })
}

/** The connection failed before an answer came: whether the call got through is not known. */
export function broken(doing: string, server: string, error: unknown): Problem {
  if (error instanceof Problem) return error
  const code = error instanceof ConnectionError ? error.code : 'UNKNOWN'
  const reason = error instanceof Error ? error.message : String(error)
  const isSilent = code === 'SILENT' || code === 'ETIMEDOUT'
  const trust = mistrust[code]
  const untrusted = trust ?? (code.startsWith('ERR_SSL_') ? otherTls : undefined)
  return new Problem({
    type: 'runtime',
    code: isSilent ? 'timed_out' : 'unreachable',
    message: `${doing}: ${server}: ${reason}`,
    suggestion:
      untrusted ?? (isSilent ? undefined : 'check that the cluster runs and its address is right'),
    recoverable: untrusted === undefined,
    cause: error,
  })
}

/** A server that refuses with these codes is there, and will refuse again. */
const otherTls = 'check the address, and the client certificate in the kubeconfig'
const authority = 'check certificate-authority-data of this cluster in the kubeconfig'
const mistrust: Readonly<Record<string, string>> = {
  NO_HTTP2: 'speak to the API server itself, not through a proxy that knows only HTTP/1.1',
  CERT_HAS_EXPIRED: "renew the server's certificate",
  CERT_NOT_YET_VALID: 'check the clocks of both machines',
  DEPTH_ZERO_SELF_SIGNED_CERT: authority,
  SELF_SIGNED_CERT_IN_CHAIN: authority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: authority,
  UNABLE_TO_GET_ISSUER_CERT: authority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: authority,
  CERT_SIGNATURE_FAILURE: authority,
  ERR_TLS_CERT_ALTNAME_INVALID:
    'use a name that the certificate has, or set tls-server-name of this cluster in the kubeconfig',
}

/** A body that is no Status comes from a proxy before the API server, or is its answer to an unknown path. */
export function statusOf(httpStatus: number, body: string): Status {
  const fields = parsed(body)
  const details = recordOf(fields['details'])
  const text = textOf(fields['kind']) === 'Status' ? textOf(fields['message']) : ''
  const plain = body.trim().startsWith('{') ? '' : body.trim().slice(0, 500)
  return {
    code: numberOf(fields['code']) || httpStatus,
    reason: textOf(fields['reason']),
    message: text || plain || `status ${httpStatus}`,
    causes: recordsOf(details['causes']).map((cause) => ({
      reason: textOf(cause['reason']),
      message: textOf(cause['message']),
      field: textOf(cause['field']),
    })),
    name: textOf(details['name']),
    retryAfterSeconds: numberOf(details['retryAfterSeconds']),
  }
}

/** Finds the Status also when the problem went through the engine and its cause is only data. */
export function statusIn(problem: Problem): Status | undefined {
  const { cause } = problem
  const isStatus = typeof cause === 'object' && cause !== null && 'causes' in cause
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `refusal` makes causes of this shape
  return isStatus && 'reason' in cause ? (cause as Status) : undefined
}

/** Whether the problem is that a field can't be changed on an existing object, and nothing else: only then does replacing it help. */
export function isImmutable(problem: Problem): boolean {
  const status = statusIn(problem)
  if (status?.code !== 422) return false
  const texts = status.causes.length > 0 ? status.causes.map((c) => c.message) : [status.message]
  return texts.every((text) => unchangeable.test(text))
}

/** How Kubernetes says this, over all its kinds. */
const unchangeable =
  /immutable|cannot change roleRef|updates? (to .* )?(is|are) forbidden|may not (be )?change|for fields other than/i

function readingOf(status: Status): Reading {
  const { code, reason, message } = status
  if (code === 409) return conflictOf(status)
  if (code === 404) return absenceOf(status)
  if (code === 403) return denialOf(status)
  if (isOfShape(message)) return wrong('unknown_field')
  if (message.includes('failed to create typed patch object')) return wrong('wrong_type')
  if (code === 400 || code === 422) return wrong('bad_value')
  if (code === 401) return unauthorized
  if (code === 405 || code === 406 || code === 415 || code === 501) return ours('unsupported')
  if (code === 413) return ours('too_large')
  if (code === 429) return passing('too_many')
  if (code === 504 || reason === 'Timeout' || reason === 'ServerTimeout')
    return passing('timed_out')
  return code >= 500 ? passing('api_error') : ours('api_error')
}

/** Whether the message says that the kind has no such field, which comes with 400 or 500. */
function isOfShape(message: string): boolean {
  return /strict decoding error|field not declared in schema|unknown field "/.test(message)
}

const unauthorized: Reading = {
  type: 'configuration',
  code: 'unauthorized',
  recoverable: false,
  suggestion:
    'log in again: the token or certificate in the kubeconfig is not, or no longer, valid',
}

/** A conflict over a field of another manager stays one; after a conflict of versions the object is read again. */
function conflictOf({ reason, causes, message }: Status): Reading {
  if (reason === 'AlreadyExists') return ours('name_taken')
  if (causes.some((cause) => cause.reason === 'FieldManagerConflict')) {
    const suggestion = 'let the other manager drop these fields, or take them over with force'
    return { ...ours('conflict'), suggestion }
  }
  return /precondition failed/i.test(message) ? ours('conflict') : passing('conflict')
}

/** A kind that is not served may have been made a moment ago. An object that is not there is not there. */
function absenceOf({ name, message }: Status): Reading {
  const isPathUnknown = name === '' && !message.endsWith('not found')
  if (!isPathUnknown && !message.startsWith('404 page')) return ours('not_found')
  return {
    ...passing('unknown_kind'),
    suggestion: 'check that its CustomResourceDefinition is there and established',
  }
}

function denialOf({ causes, message }: Status): Reading {
  if (causes.some((cause) => cause.reason === 'NamespaceTerminating')) {
    return { ...passing('conflict'), suggestion: 'wait until the namespace is gone' }
  }
  const isQuota = message.includes('exceeded quota')
  return {
    ...ours('forbidden'),
    suggestion: isQuota
      ? 'raise the ResourceQuota of the namespace, or ask for less'
      : 'give this user the right with a Role or ClusterRole and a binding',
  }
}

function wrong(code: Code): Reading {
  return { type: 'validation', code, recoverable: false }
}

function ours(code: Code): Reading {
  return { type: 'runtime', code, recoverable: false }
}

function passing(code: Code): Reading {
  return { type: 'runtime', code, recoverable: true }
}

function causeText({ field, message }: Cause): string {
  return field === '' || field === '<nil>' ? message : `${field}: ${message}`
}

function parsed(body: string): JsonRecord {
  try {
    return recordOf(JSON.parse(body))
  } catch {
    // proxies answer with pages, not with a Status
    return {}
  }
}
