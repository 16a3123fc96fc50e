/** A datagram socket as systemd's, for tests: hears what services say of themselves. Node has none, so perl listens. */
import { spawn } from 'node:child_process'

export type NotifySocket = {
  /** What was heard so far, in order; without the barriers that systemd-notify waits for. */
  readonly heard: string[]
  close(): void
}

const program = `
use Socket;
my $name = $ARGV[0];
$name =~ s/^@/\\0/;
socket(my $socket, AF_UNIX, SOCK_DGRAM, 0) or die "socket: $!";
bind($socket, pack_sockaddr_un($name)) or die "bind: $!";
$| = 1;
print "listening\\n";
while (defined recv($socket, my $words, 4096, 0)) { print "$words\\n" }
`

/** `address`: a path, or `@name` for a name without a file. */
export async function notifySocket(address: string): Promise<NotifySocket> {
  const child = spawn('perl', ['-e', program, address], { stdio: ['ignore', 'pipe', 'inherit'] })
  const heard: string[] = []
  await new Promise<void>((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', () => reject(new Error('perl could not listen')))
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      for (const line of text.split('\n')) {
        if (line === 'listening') resolve()
        else if (line !== '' && !line.startsWith('BARRIER')) heard.push(line)
      }
    })
  })
  return { heard, close: () => void child.kill() }
}
