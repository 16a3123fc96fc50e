/** Which news of images say that a name may mean another one now. */

/** As Docker and Podman call them: a build tags, `docker load` and `podman load` have words of their own. */
export function movesTag(action: string): boolean {
  return /^(tag|untag|pull|import|load|build)/.test(action)
}
