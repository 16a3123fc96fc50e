/** The systemd unit that puts everything back at boot. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { Problem } from '#model/problem.ts'
import { engineIn } from '../application/engine.ts'
import { allInstalled } from '../application/installed.ts'
import type { Flags } from '../arguments/invocation.ts'
import type { CommandContext } from '../session.ts'

const name = 'tend-reinit.service'

export async function installUnit(flags: Flags, context: CommandContext): Promise<number> {
  const { session, screen } = context
  const isSystem = process.getuid?.() === 0
  const target = flags.target ?? session.environment['CONTAINER_HOST']
  const dockerHost = flags.target === undefined ? session.environment['DOCKER_HOST'] : undefined
  const usesDocker = dockerHost !== undefined || (await hasDocker(context))
  const { launcher, home } = session
  const text = unitText({ launcher, home, target, dockerHost, usesDocker, isSystem })
  if (flags.prints) {
    screen.print([text.trimEnd()])
    return 0
  }
  const config = session.environment['XDG_CONFIG_HOME'] ?? join(homedir(), '.config')
  const file = isSystem ? `/etc/systemd/system/${name}` : join(config, 'systemd/user', name)
  write(file, text)
  const user = isSystem ? '' : ' --user'
  const steps = [`systemctl${user} daemon-reload`, `systemctl${user} enable ${name}`]
  if (!isSystem) steps.push('loginctl enable-linger')
  if (screen.format === 'table') {
    screen.print([`Wrote ${file}. Switch it on with:`, ...steps.map((step) => `  ${step}`)])
  } else await screen.document({ file, steps })
  return 0
}

export function unitText(unit: {
  readonly launcher: string
  readonly home: string
  readonly target: string | undefined
  readonly dockerHost?: string | undefined
  /** Stacks run on Docker, which then has to be started first. */
  readonly usesDocker?: boolean
  readonly isSystem: boolean
}): string {
  const target =
    unit.target === undefined ? '' : `Environment=${quoted(`CONTAINER_HOST=${unit.target}`)}\n`
  const host =
    unit.dockerHost === undefined ? '' : `Environment=${quoted(`DOCKER_HOST=${unit.dockerHost}`)}\n`
  const network = [
    ...(unit.isSystem ? ['network-online.target'] : []),
    'podman.socket',
    ...(unit.usesDocker === true ? ['docker.service'] : []),
  ].join(' ')
  return `[Unit]
Description=Put back what Tend keeps running
Wants=${network}
After=${network}

[Service]
Type=oneshot
RemainAfterExit=yes
Environment=${quoted(`TEND_HOME=${unit.home}`)}
${target}${host}ExecStart=${quoted(unit.launcher)} reinit --no-color
TimeoutStartSec=infinity

[Install]
WantedBy=${unit.isSystem ? 'multi-user.target' : 'default.target'}
`
}

/** Whether an application was applied on Docker. */
async function hasDocker({ session }: CommandContext): Promise<boolean> {
  const all = await allInstalled(null, (await session.memoryIfAny())?.store)
  return all.some(({ source }) => {
    const address = engineIn(source)?.address
    return /docker[^/]*\.sock$/.test(address ?? '')
  })
}

/** systemd reads % as a specifier, and backslashes and quotes as its own signs. */
function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')}"`
}

function write(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  } catch (cause) {
    throw new Problem({
      type: 'configuration',
      code: 'store_unusable',
      message: `${file} can't be written`,
      suggestion: 'print it with tend reinit --install --print, and put it there yourself',
      cause,
    })
  }
}
