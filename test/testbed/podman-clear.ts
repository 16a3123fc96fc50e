/** Empties a scratch Podman through its API, so that its bridges, firewall rules and name server go in order. */
import { request } from 'node:http'

export type Answer = { readonly status: number; readonly text: string }

export async function clearPodman(socket: string): Promise<void> {
  try {
    await removeAll(socket, 'pods', 'Id')
    await removeAll(socket, 'containers', 'Id')
    await removeAll(socket, 'networks', 'name')
  } catch {
    // the service is gone already: the sweep of the folder takes the rest
  }
}

async function removeAll(socket: string, family: string, key: string): Promise<void> {
  const { text } = await ask(socket, 'GET', `/${family}/json?all=true`)
  const found: unknown = JSON.parse(text)
  if (!Array.isArray(found)) return
  for (const item of found) {
    const id = String(item[key])
    if (id === 'podman') continue
    await ask(socket, 'DELETE', `/${family}/${id}?force=true&timeout=0&ignore=true`)
  }
}

export function ask(socketPath: string, method: string, path: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { socketPath, method, path: `/v4.0.0/libpod${path}`, timeout: 20_000 }
    const call = request(options, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => (text += part))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      response.on('error', reject)
    })
    call.on('timeout', () => call.destroy(new Error('no answer in 20 s')))
    call.on('error', reject)
    call.end()
  })
}
