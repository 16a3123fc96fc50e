/** Tells systemd that the service is ready, that its main loop still turns, and that it ends. */
import { spawn } from 'node:child_process'
import type { Log } from '#model/log.ts'

export type Supervisor = {
  /** The service listens now. From here on the main loop sends signs of life, where a watchdog waits for them. */
  ready(log: Log): void
  /** The service was told to end. */
  stopping(): void
  close(): void
}

const variables = ['NOTIFY_SOCKET', 'WATCHDOG_USEC', 'WATCHDOG_PID'] as const

/**
 * Takes systemd's variables out of the environment: no child of ours may speak for us. Node has no datagram sockets of the
 * unix family, so the program `systemd-notify` says the words (the unit has NotifyAccess=all for it).
 */
export function takeSupervisor(environment: NodeJS.ProcessEnv, pid: number): Supervisor {
  const { NOTIFY_SOCKET: socket = '', WATCHDOG_USEC: limit, WATCHDOG_PID: meant } = environment
  for (const name of variables) delete environment[name]
  let beating: NodeJS.Timeout | undefined
  let hasFailed = false
  if (socket === '') return { ready: () => undefined, stopping: () => undefined, close: stop }

  function stop(): void {
    clearInterval(beating)
  }

  function say(word: string, log?: Log): void {
    const env = { PATH: environment['PATH'], NOTIFY_SOCKET: socket }
    const child = spawn('systemd-notify', [word], { env, stdio: 'ignore' })
    function failed(why: string): void {
      if (hasFailed || log === undefined) return
      hasFailed = true
      const advice = 'systemd-notify comes with systemd; without it remove Type= and WatchdogSec='
      log('warning', "systemd can't be told how the service is", { why, advice })
    }
    child.on('error', (error) => failed(error.message))
    child.on('exit', (code) => {
      if (code === 0) hasFailed = false
      else failed(`systemd-notify ended with exit code ${code ?? 'none'}`)
    })
    child.unref()
  }

  return {
    ready(log) {
      say('READY=1', log)
      const period = periodOf(limit, meant, pid)
      // a timer of the main loop and not of a thread: a loop that stands still is what the watchdog is for
      if (period !== undefined) beating = setInterval(() => say('WATCHDOG=1', log), period)
    },
    stopping: () => say('STOPPING=1'),
    close: stop,
  }
}

/** A third of the time that systemd's watchdog waits, ms; undefined: it does not wait, or waits for another process. */
function periodOf(
  limit: string | undefined,
  meant: string | undefined,
  pid: number,
): number | undefined {
  const microseconds = Number(limit)
  if (!Number.isSafeInteger(microseconds) || microseconds <= 0) return undefined
  if (meant !== undefined && meant !== String(pid)) return undefined
  return Math.max(100, Math.floor(microseconds / 3000))
}
