/** Registry credentials from where podman login and docker login keep them. */
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { run } from '#clients/command/run.ts'
import { recordOf, textMapOf, textOf } from '#model/read-json.ts'
import { isRecord, type Json, type JsonRecord } from '#model/json.ts'
import { authHeader } from './auth-header.ts'
import { defined } from '#model/defined.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The content of X-Registry-Auth for pulling this image, or undefined when nobody logged in to its registry. */
export async function authFor(
  image: string,
  environment: Environment = process.env,
): Promise<string | undefined> {
  for (const file of authFiles(environment)) {
    const content = await contentOf(file)
    if (content === undefined) continue
    const found = (await fromHelper(content, image)) ?? fromFile(content, image)
    if (found !== undefined) return authHeader(found)
  }
  return undefined
}

type Login =
  | { readonly username: string; readonly password: string }
  | { readonly identitytoken: string }

function authFiles(environment: Environment): readonly string[] {
  const named = environment['REGISTRY_AUTH_FILE']
  const runtime = environment['XDG_RUNTIME_DIR']
  const uid = process.getuid?.() ?? 0
  const home = environment['HOME'] ?? homedir()
  const config = environment['XDG_CONFIG_HOME'] ?? join(home, '.config')
  const docker = environment['DOCKER_CONFIG'] ?? join(home, '.docker')
  if (named !== undefined && named !== '') return [named]
  return [
    join(
      runtime ?? `/run/containers/${uid}`,
      runtime === undefined ? '' : 'containers',
      'auth.json',
    ),
    join(config, 'containers', 'auth.json'),
    join(docker, 'config.json'),
  ]
}

async function contentOf(file: string): Promise<{ readonly [key: string]: Json } | undefined> {
  try {
    const content: unknown = JSON.parse(await readFile(file, 'utf8'))
    return isRecord<Json>(content) ? content : undefined
  } catch {
    // without the file there are no credentials
    return undefined
  }
}

/** Keys are registries, or registries with the beginning of a path: the longest that fits wins. */
function fromFile(content: { readonly [key: string]: Json }, image: string): Login | undefined {
  const auths = recordOf(content['auths'])
  const name = withoutTag(qualified(image))
  for (
    let key = name;
    key !== '';
    key = key.includes('/') ? key.slice(0, key.lastIndexOf('/')) : ''
  ) {
    const names =
      key === 'docker.io'
        ? [key, 'https://index.docker.io/v1/', 'index.docker.io']
        : [key, `https://${key}`]
    for (const name of names) {
      const text = Buffer.from(textOf(recordOf(auths[name])['auth']), 'base64').toString('utf8')
      const at = text.indexOf(':')
      if (at > 0) return { username: text.slice(0, at), password: text.slice(at + 1) }
    }
  }
  return undefined
}

/** A registry with a helper program of its own, or one for all: it prints the login. */
async function fromHelper(
  content: { readonly [key: string]: Json },
  image: string,
): Promise<Login | undefined> {
  const registry = defined(qualified(image).split('/')[0])
  const helper = textMapOf(content['credHelpers'])[registry] ?? textOf(content['credsStore'])
  if (helper === '' || !/^[\w.-]+$/.test(helper)) return undefined
  const keys = registry === 'docker.io' ? ['https://index.docker.io/v1/', registry] : [registry]
  for (const key of keys) {
    const login = await printed(helper, key)
    const [username, password] = [textOf(login['Username']), textOf(login['Secret'])]
    if (username === '<token>') return { identitytoken: password }
    if (username !== '') return { username, password }
  }
  return undefined
}

/** Undefined when the helper knows no login or is not installed: the pull itself then says that a login is missing. */
async function printed(helper: string, registry: string): Promise<JsonRecord> {
  try {
    const { output } = await run({
      program: `docker-credential-${helper}`,
      arguments: ['get'],
      input: registry,
      signal: AbortSignal.timeout(30_000),
    })
    return recordOf(JSON.parse(output.toString('utf8')))
  } catch {
    // the helper knows nothing of this registry, which is then asked without a password
    return {}
  }
}

/** The registry is the first part if it looks like a host; docker.io otherwise. */
function qualified(image: string): string {
  const [first = ''] = image.split('/')
  const hasHost = image.includes('/') && (/[.:]/.test(first) || first === 'localhost')
  if (hasHost) return image
  return image.includes('/') ? `docker.io/${image}` : `docker.io/library/${image}`
}

function withoutTag(image: string): string {
  return image.replace(/@sha256:.*$/, '').replace(/:[^/:]*$/, '')
}
