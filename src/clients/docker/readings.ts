/** Texts of Docker's and Podman's errors, and what each means. */
import type { Code } from '#model/problem.ts'

export type Reading = {
  readonly pattern: RegExp
  readonly code: Code
  readonly recoverable?: boolean
  readonly suggestion?: string
  /** The message in place of the engine's own text, which then is the cause. */
  readonly words?: (text: string) => string | undefined
}

/** The first entry that matches counts. */
export const readings: readonly Reading[] = [
  {
    // the host's interfaces changed while the engine went through them
    pattern: /no such network interface/i,
    code: 'api_error',
    recoverable: true,
  },
  {
    // of a network, where a port's "address already in use" is a bind's
    pattern: /(^|\n|: )Address already in use$|requested ip address .* is already allocated/,
    code: 'conflict',
    suggestion: 'another container has this address: choose another ipv4_address',
  },
  {
    // also after a failed start of ours: the engine holds the port for a moment longer
    pattern: /address already in use|port is already allocated|cannot listen on/i,
    code: 'port_taken',
    recoverable: true,
    suggestion: 'free the port (ss -ltnp shows who holds it) or publish another one',
    words: portWords,
  },
  {
    pattern: /bind source path does not exist/,
    code: 'not_possible_here',
    suggestion: 'make it, or write create_host_path: true, with which it is made as a folder',
  },
  {
    pattern: /exec: "[^"]+": |executable file `[^`]+` not found/,
    code: 'api_error',
    suggestion: 'check command and entrypoint: the image has no such program, or it may not be run',
    words: programWords,
  },
  {
    pattern: /workdir .* container|chdir .*no such file or directory/i,
    code: 'api_error',
    suggestion:
      'the image lacks its working directory: make it there (RUN mkdir -p), or write working_dir with one that it has',
  },
  {
    // names below localhost/ are those of images that were built on this machine
    pattern: /https?:\/\/localhost\/v2\/|docker:\/\/localhost\//,
    code: 'image_not_found',
    suggestion: 'localhost/… is looked for on this machine only: build it first, or check its name',
    words: () => 'it is not on this machine',
  },
  {
    pattern: /name .* is already in use|(volume|network) .*already exists/i,
    code: 'name_taken',
  },
  {
    pattern: /pool overlaps|subnet .* (is )?already used|overlaps with/i,
    code: 'conflict',
    suggestion: 'choose another subnet, or remove the network that has it',
  },
  {
    pattern: /non-overlapping IPv4 address pool|could not find free subnet/i,
    code: 'api_error',
    suggestion:
      'networks have used up the address pools: docker network prune, or widen default-address-pools',
  },
  {
    pattern: /toomanyrequests|too many requests|rate limit/i,
    code: 'unreachable',
    recoverable: true,
    suggestion: 'the registry limits pulls: log in (docker login), or use a mirror',
  },
  {
    pattern:
      /unauthorized|authentication required|no basic auth|access .*denied|denied:|403 \(?forbidden/i,
    code: 'image_denied',
  },
  {
    pattern:
      /no such image|image not known|manifest .*unknown|manifest for .* not found|name unknown|repository .* not found|no matching manifest|short-name .* did not resolve|no image found|invalid reference format/i,
    code: 'image_not_found',
  },
  {
    pattern: /gave HTTP response to HTTPS client/i,
    code: 'unreachable',
    suggestion: 'the registry speaks plain HTTP: add it to insecure-registries of the engine',
  },
  {
    pattern: /sent an HTTP request to an HTTPS server/i,
    code: 'unreachable',
    suggestion: 'the engine wants TLS: set DOCKER_TLS_VERIFY=1 and DOCKER_CERT_PATH',
  },
  {
    pattern: /removal of container .* is already in progress|is restarting, wait until/i,
    code: 'conflict',
    recoverable: true,
  },
  {
    pattern:
      /being used|(is )?in use|is using its|has active endpoints|has dependent|has associated containers|cannot remove a running container|ctr .* is running|container .* is running/i,
    code: 'in_use',
  },
  { pattern: /no such (container|network|volume|exec)|not found$/im, code: 'not_found' },
  {
    pattern: /container state improper|can only .* containers|is not running|is (not )?paused/i,
    code: 'conflict',
  },
  {
    pattern: /no space left on device/i,
    code: 'api_error',
    suggestion: 'free space: docker system df shows what takes it',
  },
  {
    pattern:
      /i\/o timeout|tls handshake timeout|connection reset|connection refused|EOF$|server misbehaving|temporarily unavailable|503 service|context deadline exceeded/i,
    code: 'unreachable',
    recoverable: true,
  },
  {
    pattern: /no such host/i,
    code: 'unreachable',
    suggestion: "check the registry's name, and whether this machine finds it (DNS, proxy)",
  },
  {
    pattern: /database is locked|resource busy|try again/i,
    code: 'conflict',
    recoverable: true,
  },
]

function portWords(text: string): string | undefined {
  const port = /(?:listen \w+ |Bind for )\S*?:(\d+)\b/.exec(text)?.[1]
  return port === undefined ? undefined : `port ${port} of the host is in use`
}

function programWords(text: string): string | undefined {
  const [, name, why] = /exec: "([^"]+)": (?:stat \S+: )?([^:\n]+)/.exec(text) ?? []
  if (name !== undefined) return `${name} can't be run: ${why}`
  const sought = /executable file `([^`]+)` not found/.exec(text)?.[1]
  return sought === undefined ? undefined : `${sought} can't be run: there is no such file`
}

export const suggestions: Partial<Record<Code, string>> = {
  name_taken: 'rename or remove the other one',
  image_denied: 'check the name, and log in: docker login REGISTRY (or podman login REGISTRY)',
  image_not_found: 'check the image name and its tag, or pull or build it first',
}
