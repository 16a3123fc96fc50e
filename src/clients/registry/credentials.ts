/** Registry credentials from where podman login and docker login keep them. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { isRecord, type Json } from '#model/json.ts'
import { recordOf, textMapOf, textOf } from '#clients/http/read.ts'

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
    if (found !== undefined) return Buffer.from(JSON.stringify(found)).toString('base64url')
  }
  return undefined
}

type Login = { readonly username: string; readonly password: string }

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

/** A registry with a helper program of its own: it prints the login. */
async function fromHelper(
  content: { readonly [key: string]: Json },
  image: string,
): Promise<Login | undefined> {
  const registry = qualified(image).split('/')[0]!
  const helper = textMapOf(content['credHelpers'])[registry]
  if (helper === undefined || !/^[\w.-]+$/.test(helper)) return undefined
  const output = await new Promise<string>((resolve) => {
    const child = execFile(`docker-credential-${helper}`, ['get'], (error, stdout) =>
      resolve(error === null ? stdout : '{}'),
    )
    child.on('error', () => resolve('{}'))
    child.stdin?.on('error', () => {})
    child.stdin?.end(registry)
  })
  try {
    const login = recordOf(JSON.parse(output))
    const [username, password] = [textOf(login['Username']), textOf(login['Secret'])]
    return username === '' ? undefined : { username, password }
  } catch {
    return undefined
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
