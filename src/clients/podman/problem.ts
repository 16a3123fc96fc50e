/** What Podman says when something goes wrong, as problems: by status and by the text of the cause, for the status says little. */
import { CommandError } from '#clients/command/command-error.ts'
import { lostCommand, saidIn, type SshAdvice } from '#clients/containers/problem.ts'
import { ConnectionError } from '#clients/http/connection.ts'
import { Problem, type Code } from '#model/problem.ts'

type Reading = {
  readonly pattern: RegExp
  readonly code: Code
  readonly recoverable?: boolean
  readonly suggestion?: string
}

/** The first entry that matches counts. Most errors of 4.x are a 500 with the reason in the text. */
const readings: readonly Reading[] = [
  {
    // Docker's answer to paths below /libpod
    pattern: /^\s*page not found\s*$/i,
    code: 'unreachable',
    suggestion:
      'this is Docker, and charts need Podman: start podman.socket, or name it with --target',
  },
  {
    // also after a failed start of ours: the service holds the port for a moment longer
    pattern: /address already in use|port is already allocated|cannot listen on/i,
    code: 'port_taken',
    recoverable: true,
    suggestion: 'free the port (ss -ltnp shows who holds it) or choose another hostPort',
  },
  {
    pattern: /subnet .* is already (?:used|being used)|subnet .* overlaps/i,
    code: 'in_use',
    suggestion:
      'choose another subnet, or leave it out and Podman finds a free one (podman network ls)',
  },
  {
    pattern:
      /executable file .* not found|executable file not found|no such file or directory.*exec|exec: .*not found/i,
    code: 'api_error',
    suggestion:
      'check command and args: the image has no such program (podman run --rm -it IMAGE sh looks inside)',
  },
  {
    pattern: /workdir .* container|chdir .*no such file or directory/i,
    code: 'api_error',
    suggestion:
      'the image lacks its working directory: make it there (RUN mkdir -p), or write workingDir with one that it has',
  },
  {
    pattern: /permission denied.*exec|exec.*permission denied/i,
    code: 'api_error',
    suggestion:
      'the program may not be run: make it executable in the image, or check uid and capabilities',
  },
  {
    pattern: /invalid reference format|invalid image reference|repository name must be lowercase/i,
    code: 'image_not_found',
    suggestion: 'write the image as registry.example.org/team/app:1.2',
  },
  {
    pattern: /name .* is already in use|secret name in use|(volume|network|pod) .*already exists/i,
    code: 'name_taken',
  },
  {
    pattern: /unauthorized|authentication required|access .* denied|denied:|403 \(forbidden\)/i,
    code: 'image_denied',
  },
  {
    pattern:
      /image not known|no such image|manifest unknown|name unknown|short-name .* did not resolve|no image found/i,
    code: 'image_not_found',
  },
  {
    pattern:
      /being used|in use|has dependent containers|has associated containers|ctr .* is running/i,
    code: 'in_use',
  },
  {
    pattern: /no such (container|network(?! interface)|volume|secret|pod)|not found/i,
    code: 'not_found',
  },
  {
    // it ended by itself, or is just being restarted, between Podman's look and its signal
    pattern: /could not be stopped: .*container state improper/i,
    code: 'conflict',
    recoverable: true,
  },
  { pattern: /container state improper|can only .* containers|is not running/i, code: 'conflict' },
  {
    pattern:
      /i\/o timeout|tls handshake timeout|connection reset|connection refused|EOF$|server misbehaving|temporarily unavailable|too many requests|503 service/i,
    code: 'unreachable',
    recoverable: true,
  },
  {
    pattern: /no such host/i,
    code: 'unreachable',
    suggestion: "check the registry's name, and whether this machine finds it (DNS, proxy)",
  },
  {
    // all that is heard of conmon when it does not like its arguments
    pattern: /write child: broken pipe/i,
    code: 'api_error',
    suggestion: 'check its logging: perhaps the log driver does not know one of the options',
  },
  {
    // interfaces of others come and go while Podman looks for a free subnet
    pattern: /database is locked|resource busy|try again|no such network interface/i,
    code: 'conflict',
    recoverable: true,
  },
]

const suggestions: Partial<Record<Code, string>> = {
  name_taken: 'rename or remove the other one',
  image_denied: 'log in: podman login REGISTRY',
  image_not_found: 'check the image name and its tag, or pull or build it first',
  in_use: 'something still uses it: podman ps -a shows the containers, podman pod ps the pods',
  not_found: 'it is gone since it was looked at: run the command again',
  conflict: 'it is changing at this moment: run the command again',
  unreachable: 'see whether that place answers, and run the command again',
  api_error: "these are Podman's own words; --verbose tells the cause and every attempt",
}

/** `doing` begins the sentence: "could not create container web". */
export function refusal(doing: string, status: number, body: string): Problem {
  const { cause, message } = saidIn(body)
  const text = message === '' ? `status ${status}` : message
  const found = readings.find((reading) => reading.pattern.test(`${cause}\n${text}`))
  const code =
    found?.code ?? (status === 404 ? 'not_found' : status === 409 ? 'conflict' : 'api_error')
  return new Problem({
    type: 'runtime',
    code,
    message: `${doing}: ${text}`,
    suggestion: found?.suggestion ?? suggestions[code],
    recoverable: found?.recoverable ?? (status === 502 || status === 503),
    cause: cause === '' ? undefined : cause,
  })
}

/** The connection failed before an answer came: whether the call got through is not known. */
export function broken(doing: string, place: string, error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof ConnectionError && error.cause instanceof CommandError)
    return lostCommand(doing, place, error.cause, ssh)
  const code = error instanceof ConnectionError ? error.code : 'UNKNOWN'
  const isSilent = code === 'SILENT' || code === 'ETIMEDOUT'
  const said = error instanceof Error ? error.message : String(error)
  const isAbsent = /^connect (ENOENT|ECONNREFUSED)\b/.test(said)
  const isForbidden = /^connect (EACCES|EPERM)\b/.test(said)
  const reason = isAbsent
    ? 'Podman does not serve there'
    : isForbidden
      ? 'this user may not use the socket'
      : said
  const isOfTls = /certificate|altnames|self.signed|SSL|TLS|alert/i.test(said)
  return new Problem({
    type: 'runtime',
    code: isSilent ? 'timed_out' : 'unreachable',
    message: `${doing}: ${place}: ${reason}`,
    suggestion: isSilent
      ? 'see whether Podman is busy or hangs: podman info'
      : isOfTls
        ? 'check that the authority in CONTAINER_TLS_CA signed the certificate there, that it names this host, and that CONTAINER_TLS_CERT and CONTAINER_TLS_KEY are yours'
        : isForbidden
          ? "use a Podman of your own: systemctl --user start podman.socket; or run it as the socket's owner"
          : `start Podman's service in another shell: podman system service -t 0 ${place}`,
    recoverable: !isOfTls,
    cause: error,
  })
}

const ssh: SshAdvice = { install: 'Podman', command: 'podman --remote version' }
