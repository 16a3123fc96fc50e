/** Which places a replica runs applications at: those of `--offer`, else those that its machine has. */
import { existsSync } from 'node:fs'
import type { Dependencies } from '#controller/dependencies.ts'
import type { LoadedKind } from '#model/application-kind.ts'
import { usageProblem } from '../arguments/usage.ts'

export type OfferAsked = { readonly engine: string; readonly address: string }

export function offersIn(texts: readonly string[]): readonly OfferAsked[] {
  return texts.map((text) => {
    const at = text.indexOf('=')
    const [engine, address] = [text.slice(0, at), text.slice(at + 1)]
    if (at > 0 && address !== '' && engines.includes(engine)) return { engine, address }
    throw usageProblem(
      `--offer: ${JSON.stringify(text)} is not an engine and its address`,
      'write docker=unix:///run/docker.sock, podman=unix:///run/podman/podman.sock, kube=CONTEXT or fleet=FILE',
    )
  })
}

const engines = ['docker', 'podman', 'kube', 'fleet']

export function offering(asked: readonly OfferAsked[]): NonNullable<Dependencies['offers']> {
  if (asked.length === 0) return (_, address) => isHere(address)
  return (kind, address) =>
    asked.some((one) => kind.engines.includes(one.engine) && addressOf(kind, one) === address)
}

/** An address on a network may be reached from here too; of a socket the file must exist. */
function isHere(address: string): boolean {
  return address.startsWith('unix://') ? existsSync(address.slice('unix://'.length)) : true
}

function addressOf(kind: LoadedKind, { address }: OfferAsked): string | undefined {
  try {
    return kind.find(address).address
  } catch {
    // there is no such place: it is not offered
    return undefined
  }
}
