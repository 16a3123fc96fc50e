/** An authority, and certificates that it signed for a server on loopback and for a client: what Docker wants for TLS. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type Certificates = {
  /** Each a folder with ca.pem, cert.pem and key.pem. */
  readonly server: string
  readonly client: string
}

export function makeCertificates(folder: string): Certificates {
  const authority = join(folder, 'authority')
  mkdirSync(authority, { recursive: true })
  const [key, certificate] = [join(authority, 'key.pem'), join(authority, 'ca.pem')]
  openssl([
    'req',
    '-x509',
    ...newKey,
    '-keyout',
    key,
    '-out',
    certificate,
    '-days',
    '2',
    '-subj',
    '/CN=test',
  ])
  const sign = (name: string, extensions: string) =>
    signed(folder, name, extensions, key, certificate)
  return {
    server: sign(
      'server',
      'subjectAltName=IP:127.0.0.1,DNS:localhost\nextendedKeyUsage=serverAuth',
    ),
    client: sign('client', 'extendedKeyUsage=clientAuth'),
  }
}

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

function signed(folder: string, name: string, extensions: string, key: string, ca: string): string {
  const own = join(folder, name)
  mkdirSync(own)
  const request = join(own, 'request')
  openssl([
    'req',
    ...newKey,
    '-keyout',
    join(own, 'key.pem'),
    '-out',
    request,
    '-subj',
    `/CN=${name}`,
  ])
  writeFileSync(join(own, 'extensions'), extensions)
  const by = ['-CA', ca, '-CAkey', key, '-CAcreateserial', '-extfile', join(own, 'extensions')]
  openssl(['x509', '-req', '-in', request, ...by, '-out', join(own, 'cert.pem'), '-days', '2'])
  openssl(['x509', '-in', ca, '-out', join(own, 'ca.pem')])
  return own
}

function openssl(words: readonly string[]): void {
  execFileSync('openssl', words, { stdio: 'pipe' })
}
