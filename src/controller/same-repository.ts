/** Whether two addresses name the same repository: forges have several for each. */

export function isSameRepository(one: string, other: string): boolean {
  return plain(one) === plain(other)
}

/** Host and path, without user, protocol, port and `.git`. */
function plain(url: string): string {
  const scp = /^(?:[^@/]+@)?([^:/]+):(?!\/\/)(.+)$/.exec(url)
  const whole = scp === null ? url : `ssh://${scp[1]}/${scp[2]}`
  const parts = /^[a-z+]+:\/\/(?:[^@/]*@)?([^/:]*)(?::\d+)?\/(.*)$/i.exec(whole)
  const text = parts === null ? whole : `${parts[1]?.toLowerCase()}/${parts[2]}`
  return text.replace(/\/+$/, '').replace(/\.git$/, '')
}
