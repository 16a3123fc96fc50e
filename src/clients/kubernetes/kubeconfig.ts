/** Reads a kubeconfig, one file or several laid over each other as kubectl does, and gives the access that a context names. */
import { recordOf, recordsOf, textOf, textsOf } from '#model/read-json.ts'
import { readYaml } from '#formats/yaml/read-yaml.ts'
import { isList, type Json, type JsonRecord } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import type { Certificate, ClusterAccess, Impersonation } from './cluster-access.ts'
import { execCredentials, type ExecPlugin } from './exec-credential.ts'
import { fixedCredential, tokenFromFile } from './token-file.ts'

export type KubeconfigFile = {
  /** The name for messages: a path, or "Secret flux-system/cluster". */
  readonly name: string
  readonly text: string
}

type KubeconfigReading = {
  /** The name of the context; by default the file's own current one. */
  readonly context?: string | undefined
  /** The content of a file, for `certificate-authority: ca.crt` and its like; relative to the kubeconfig that names it. */
  readonly read: (path: string, from: string) => string
  /**
   * Not the operator's own but found in a cluster: it may start no program, name no file of this machine and not switch off
   * the check of the server's certificate.
   */
  readonly isConfined?: boolean
}

export function accessFrom(
  files: readonly KubeconfigFile[],
  reading: KubeconfigReading,
): ClusterAccess {
  const entries = files.map(entriesOf)
  const wanted =
    reading.context ?? entries.map(({ current }) => current).find((name) => name !== '')
  if (wanted === undefined) {
    throw wrong(files, 'names no current-context', 'choose one: kubectl config use-context NAME')
  }
  const context = find(entries, 'contexts', wanted)
  if (context === undefined) {
    throw wrong(files, `has no context ${wanted}`, `it has: ${namesIn(entries, 'contexts')}`)
  }
  const fields = recordOf(context.fields['context'])
  const cluster = find(entries, 'clusters', textOf(fields['cluster']))
  if (cluster === undefined) {
    const message = `has no cluster ${textOf(fields['cluster'])}, which context ${wanted} names`
    throw wrong(files, message, `it has: ${namesIn(entries, 'clusters')}`)
  }
  const user = find(entries, 'users', textOf(fields['user']))
  return accessOf(cluster, user, textOf(fields['namespace']), reading)
}

type Entries = { readonly file: string; readonly current: string; readonly all: JsonRecord }
type KubeconfigEntry = { readonly file: string; readonly fields: JsonRecord }

function entriesOf({ name, text }: KubeconfigFile): Entries {
  const { documents, errors } = readYaml(text)
  const first = errors[0]
  if (first !== undefined) {
    const at = { file: name, line: first.line, column: first.column }
    const message = `${name} is not YAML: ${first.message}`
    throw new Problem({ type: 'configuration', code: 'yaml_error', message, at })
  }
  const all = recordOf(documents[0]?.value)
  return { file: name, current: textOf(all['current-context']), all }
}

/** Of several files the first that has an entry of the name counts. */
function find(
  entries: readonly Entries[],
  list: string,
  name: string,
): KubeconfigEntry | undefined {
  for (const { file, all } of entries) {
    const fields = recordsOf(all[list]).find((entry) => entry['name'] === name)
    if (fields !== undefined) return { file, fields }
  }
  return undefined
}

function namesIn(entries: readonly Entries[], list: string): string {
  const names = entries.flatMap(({ all }) => recordsOf(all[list]).map((e) => textOf(e['name'])))
  return names.length === 0 ? 'none' : names.join(', ')
}

function accessOf(
  { file, fields }: KubeconfigEntry,
  user: KubeconfigEntry | undefined,
  namespace: string,
  reading: KubeconfigReading,
): ClusterAccess {
  const cluster = recordOf(fields['cluster'])
  const server = textOf(cluster['server'])
  const name = textOf(fields['name'])
  if (!/^https?:\/\/[^/]/.test(server)) throw wrongIn(file, `cluster ${name} has no server`)
  const proxy = textOf(cluster['proxy-url'])
  if (proxy !== '' && !/^https?:\/\/[^/]/.test(proxy)) {
    throw wrongIn(file, `cluster ${name} wants a proxy that is neither http:// nor https://`)
  }
  const isVerified = cluster['insecure-skip-tls-verify'] !== true
  if (!isVerified && reading.isConfined === true) {
    throw wrongIn(file, `cluster ${name} switches off the check of the server's certificate`)
  }
  const ca = pem(cluster, 'certificate-authority', file, reading)
  const serverName = textOf(cluster['tls-server-name'])
  const impersonation = impersonationOf(recordOf(user?.fields['user']))
  return {
    server: server.replace(/\/$/, ''),
    isVerified,
    ...(ca === undefined ? {} : { ca }),
    ...(serverName === '' ? {} : { serverName }),
    ...(proxy === '' ? {} : { proxy }),
    ...(namespace === '' ? {} : { namespace }),
    ...(impersonation === undefined ? {} : { impersonation }),
    credential: credentialOf(user, cluster, reading),
  }
}

/** The order in which kubectl looks: a certificate in any case, and beside it the first of token, file, program, password. */
function credentialOf(
  found: KubeconfigEntry | undefined,
  cluster: JsonRecord,
  reading: KubeconfigReading,
): ClusterAccess['credential'] {
  if (found === undefined) return fixedCredential({})
  const { file } = found
  const user = recordOf(found.fields['user'])
  const certificate = certificateOf(user, file, reading)
  const known = certificate === undefined ? {} : { certificate }
  if (textOf(user['tokenFile']) !== '') {
    if (reading.isConfined === true) throw outside(file, 'tokenFile')
    const path = textOf(user['tokenFile'])
    return tokenFromFile(() => reading.read(path, file), known)
  }
  if (textOf(user['token']) !== '') {
    return fixedCredential({ ...known, authorization: `Bearer ${textOf(user['token'])}` })
  }
  if (user['exec'] !== undefined && user['exec'] !== null) {
    if (reading.isConfined === true) throw wrongIn(file, 'it starts a program (exec)')
    return execCredentials(pluginOf(recordOf(user['exec']), file, cluster), known)
  }
  if (textOf(user['username']) !== '') {
    const pair = `${textOf(user['username'])}:${textOf(user['password'])}`
    const authorization = `Basic ${Buffer.from(pair).toString('base64')}`
    return fixedCredential({ ...known, authorization })
  }
  if (user['auth-provider'] !== undefined) {
    throw wrongIn(file, 'it uses auth-provider, which Kubernetes dropped: use exec instead')
  }
  return fixedCredential(known)
}

function certificateOf(
  user: JsonRecord,
  file: string,
  reading: KubeconfigReading,
): Certificate | undefined {
  const cert = pem(user, 'client-certificate', file, reading)
  const key = pem(user, 'client-key', file, reading)
  if (cert === undefined && key === undefined) return undefined
  if (cert === undefined || key === undefined) {
    throw wrongIn(file, 'a client certificate needs its key, and a key its certificate')
  }
  return { cert, key }
}

/** `NAME-data` in base64, or the path of a file under `NAME`. */
function pem(
  fields: JsonRecord,
  name: string,
  file: string,
  reading: KubeconfigReading,
): string | undefined {
  const data = textOf(fields[`${name}-data`])
  if (data !== '') return Buffer.from(data, 'base64').toString('utf8')
  const path = textOf(fields[name])
  if (path === '') return undefined
  if (reading.isConfined === true) throw outside(file, name)
  return reading.read(path, file)
}

function pluginOf(exec: JsonRecord, file: string, cluster: JsonRecord): ExecPlugin {
  const environment = isList<Json>(exec['env']) ? recordsOf(exec['env']) : []
  return {
    command: textOf(exec['command']),
    arguments: textsOf(exec['args']),
    environment: Object.fromEntries(
      environment.map((e) => [textOf(e['name']), textOf(e['value'])]),
    ),
    apiVersion: textOf(exec['apiVersion']),
    installHint: textOf(exec['installHint']),
    isInteractive: exec['interactiveMode'] === 'Always',
    file,
    ...(exec['provideClusterInfo'] === true ? { cluster } : {}),
  }
}

function impersonationOf(user: JsonRecord): Impersonation | undefined {
  const name = textOf(user['as'])
  if (name === '') return undefined
  const extra = Object.entries(recordOf(user['as-user-extra']))
  return {
    user: name,
    ...(isList(user['as-groups']) ? { groups: textsOf(user['as-groups']) } : {}),
    ...(textOf(user['as-uid']) === '' ? {} : { uid: textOf(user['as-uid']) }),
    ...(extra.length === 0
      ? {}
      : { extra: Object.fromEntries(extra.map(([key, list]) => [key, textsOf(list)])) }),
  }
}

function wrong(files: readonly KubeconfigFile[], what: string, suggestion: string): Problem {
  const message = `the kubeconfig ${files.map(({ name }) => name).join(', ')} ${what}`
  return new Problem({ type: 'configuration', code: 'bad_value', message, suggestion })
}

function wrongIn(file: string, why: string): Problem {
  const message = `the kubeconfig ${file} can't be used: ${why}`
  return new Problem({ type: 'configuration', code: 'bad_value', message })
}

function outside(file: string, name: string): Problem {
  return wrongIn(file, `${name} names a file of this machine; put its content into ${name}-data`)
}
