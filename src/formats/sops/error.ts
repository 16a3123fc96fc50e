/** The one error of this library; what was to be decrypted is never part of its words. */

export class SopsError extends Error {
  override readonly name = 'SopsError'
}

export function fail(reason: string): never {
  throw new SopsError(reason)
}
