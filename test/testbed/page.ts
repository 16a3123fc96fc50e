/** What a web server on loopback answers; one that has only just begun has time to listen. */
import { setTimeout as sleep } from 'node:timers/promises'

const longest = 15_000

export async function page(port: number, path = ''): Promise<string> {
  const begun = Date.now()
  for (;;) {
    try {
      return (await (await fetch(`http://127.0.0.1:${port}/${path}`)).text()).trim()
    } catch (error) {
      if (Date.now() - begun > longest) throw error
      await sleep(20)
    }
  }
}
