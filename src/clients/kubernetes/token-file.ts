/** Credentials that never change, and tokens in a file that another program renews. */
import type { ClusterAccess, Credential } from './cluster-access.ts'

/** Kubernetes asks for a token file to be read again at least every minute. */
const freshFor = 60_000

export function fixedCredential(credential: Credential): ClusterAccess['credential'] {
  return () => Promise.resolve(credential)
}

export function tokenFromFile(
  read: () => string,
  known: Credential,
  now: () => number = Date.now,
): ClusterAccess['credential'] {
  let token = ''
  let readAt = -Infinity
  // async, so that a file that can't be read is a rejection like any other
  return async (isStale) => {
    if (isStale || now() - readAt > freshFor) {
      token = read().trim()
      readAt = now()
    }
    return { ...known, authorization: `Bearer ${token}` }
  }
}
