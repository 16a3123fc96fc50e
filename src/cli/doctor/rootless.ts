/** What a user without root needs of the machine, so that containers run as on one with root. */
import { existsSync, readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import type { Finding } from './finding.ts'

export type User = { readonly name: string; readonly uid: number }

export function thisUser(): User {
  const uid = process.getuid?.() ?? 0
  try {
    return { name: userInfo().username, uid }
  } catch {
    // a number without a name, as in a container
    return { name: String(uid), uid }
  }
}

/** `root` is the folder of all files: another one in tests. */
export function rootlessFindings(user: User, root = '/'): readonly Finding[] {
  if (user.uid === 0) return []
  return [usersFinding(user, root), lingerFinding(user, root), lowPortsFinding(root)]
}

function usersFinding({ name, uid }: User, root: string): Finding {
  const gone = ['etc/subuid', 'etc/subgid'].filter((file) => {
    const lines = textOf(`${root}${file}`).split('\n')
    return !lines.some((line) => line.startsWith(`${name}:`) || line.startsWith(`${uid}:`))
  })
  const title = 'subuid and subgid'
  if (gone.length === 0)
    return { name: title, state: 'ok', found: `${name} has users to give to containers` }
  return {
    name: title,
    state: 'missing',
    found: `${gone.map((file) => `/${file}`).join(' and ')} give none to ${name}`,
    costs: 'Podman without root runs no image whose files belong to more than one user',
    mend: `sudo usermod --add-subuids 100000-165535 --add-subgids 100000-165535 ${name} && podman system migrate`,
  }
}

function lingerFinding({ name }: User, root: string): Finding {
  const title = 'lingering'
  const isHere = existsSync(`${root}run/systemd/system`)
  const isKept = existsSync(`${root}var/lib/systemd/linger/${name}`)
  if (isKept || !isHere) {
    return { name: title, state: 'ok', found: 'what you started runs on after you log out' }
  }
  return {
    name: title,
    state: 'missing',
    found: `not for ${name}`,
    costs: 'containers without root, and a tend serve of yours, end when you log out',
    mend: `sudo loginctl enable-linger ${name}`,
  }
}

function lowPortsFinding(root: string): Finding {
  const title = 'low ports'
  const first = Number(textOf(`${root}proc/sys/net/ipv4/ip_unprivileged_port_start`) || '1024')
  if (first <= 80) return { name: title, state: 'ok', found: `yours from ${first}` }
  return {
    name: title,
    state: 'missing',
    found: `only root may use those below ${first}`,
    costs: `containers without root publish no port below ${first}`,
    mend: 'sudo sysctl -w net.ipv4.ip_unprivileged_port_start=80',
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // without the file nothing is allowed
    return ''
  }
}
