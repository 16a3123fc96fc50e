/** `tend completion SHELL`: the few lines that make a shell ask Tend what may follow. */
import type { Invocation } from '../arguments/invocation.ts'
import { usageProblem } from '../arguments/usage.ts'
import type { CommandContext } from '../session.ts'

/** Asked with the words so far, Tend answers a candidate a line; a line `:files` lets the shell add files. */
export const completionScripts: Readonly<Record<string, string>> = {
  bash: `_tend() {
  local word="\${COMP_WORDS[COMP_CWORD]}" answer
  answer=$("\${COMP_WORDS[0]}" __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      '') ;;
      :files) compopt -o filenames 2>/dev/null; mapfile -t -O "\${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$word") ;;
      *) COMPREPLY+=("$line") ;;
    esac
  done <<< "$answer"
}
complete -F _tend tend cutepod`,
  zsh: `#compdef tend cutepod
_tend() {
  local -a found
  local line files=0
  for line in "\${(@f)$("\${words[1]}" __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      '') ;;
      :files) files=1 ;;
      *) found+=("$line") ;;
    esac
  done
  (( \${#found} )) && compadd -- "\${found[@]}"
  (( files )) && _files
}
compdef _tend tend cutepod`,
  fish: `function __tend_complete
  set -l words (commandline -opc) (commandline -ct)
  for line in ($words[1] __complete $words[2..-1] 2>/dev/null)
    if test "$line" = ":files"
      __fish_complete_path (commandline -ct)
    else
      echo $line
    end
  end
end
complete -c tend -f -a '(__tend_complete)'
complete -c cutepod -f -a '(__tend_complete)'`,
}

export async function completion(
  { words }: Invocation,
  { screen }: CommandContext,
): Promise<number> {
  const [shell = ''] = words
  const script = completionScripts[shell]
  if (script === undefined) {
    throw usageProblem(
      `there are no completions for ${JSON.stringify(shell)}`,
      'there are some for bash, zsh and fish',
    )
  }
  screen.print([script])
  return 0
}
