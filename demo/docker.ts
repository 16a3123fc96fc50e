/** The Docker of this machine, if one answers: then stacks run there, with the image that the examples use. */
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { busybox, busyboxTar } from '../test/testbed/image.ts'

let found: Promise<string | undefined> | undefined

/** Its address, with the image in it. */
export function dockerIfAny(): Promise<string | undefined> {
  found ??= find()
  return found
}

async function find(): Promise<string | undefined> {
  const address = process.env['DOCKER_HOST'] ?? 'unix:///var/run/docker.sock'
  if (!address.startsWith('unix://')) return undefined
  const socket = address.slice('unix://'.length)
  const version = await ask(socket, 'GET', '/version').catch(() => undefined)
  // Podman answers there too where somebody put it in Docker's place
  if (version?.status !== 200 || version.text.includes('Podman')) return undefined
  const name = encodeURIComponent(busybox)
  if ((await ask(socket, 'GET', `/images/${name}/json`)).status === 404) await addImage(socket)
  return address
}

async function addImage(socket: string): Promise<void> {
  const [repo = '', tag = ''] = busybox.split(/:(?=[^/]*$)/)
  const query = new URLSearchParams({ fromSrc: '-', repo, tag, changes: 'CMD ["sh"]' })
  await ask(socket, 'POST', `/images/create?${query.toString()}`, readFileSync(busyboxTar('')))
}

function ask(
  socketPath: string,
  method: string,
  path: string,
  body?: Uint8Array,
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'Content-Type': 'application/x-tar' }
    const call = request({ socketPath, method, path, headers, timeout: 10_000 }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      response.on('error', reject)
    })
    call.on('error', reject)
    call.end(body)
  })
}
