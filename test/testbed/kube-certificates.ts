/** What an API server and its users prove themselves with: an authority, a certificate each, and the key that signs accounts' tokens. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type KubeCertificates = {
  readonly ca: string
  readonly server: { readonly cert: string; readonly key: string }
  /** Of the group that may do everything. */
  readonly admin: { readonly cert: string; readonly key: string }
  readonly accountKey: string
  readonly accountPublicKey: string
}

/** Paths of files in PEM. */
export function makeKubeCertificates(folder: string): KubeCertificates {
  mkdirSync(folder, { recursive: true })
  const ca = join(folder, 'ca.crt')
  const caKey = join(folder, 'ca.key')
  openssl([
    'req',
    '-x509',
    ...newKey,
    '-keyout',
    caKey,
    '-out',
    ca,
    '-days',
    '2',
    '-subj',
    '/CN=test',
  ])
  const names = 'subjectAltName=IP:127.0.0.1,DNS:localhost,DNS:kubernetes'
  const accountKey = join(folder, 'account.key')
  openssl([
    'genpkey',
    '-algorithm',
    'EC',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-out',
    accountKey,
  ])
  const accountPublicKey = join(folder, 'account.pub')
  openssl(['pkey', '-in', accountKey, '-pubout', '-out', accountPublicKey])
  return {
    ca,
    server: signed(folder, 'server', '/CN=server', `${names}\nextendedKeyUsage=serverAuth`),
    admin: signed(folder, 'admin', '/O=system:masters/CN=admin', 'extendedKeyUsage=clientAuth'),
    accountKey,
    accountPublicKey,
  }
}

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

function signed(folder: string, name: string, subject: string, extensions: string) {
  const file = (ending: string) => join(folder, `${name}.${ending}`)
  openssl(['req', ...newKey, '-keyout', file('key'), '-out', file('request'), '-subj', subject])
  writeFileSync(file('extensions'), extensions)
  const by = ['-CA', join(folder, 'ca.crt'), '-CAkey', join(folder, 'ca.key'), '-CAcreateserial']
  const out = ['-extfile', file('extensions'), '-out', file('crt'), '-days', '2']
  openssl(['x509', '-req', '-in', file('request'), ...by, ...out])
  return { cert: file('crt'), key: file('key') }
}

function openssl(words: readonly string[]): void {
  execFileSync('openssl', words, { stdio: 'pipe' })
}
