package command

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
)

// BashCompletion returns the script for completion in bash. Cobra's script needs a function of
// the package bash-completion, which macOS and small images lack; this one does without.
func BashCompletion(root *cobra.Command, descriptions bool) ([]byte, error) {
	var script bytes.Buffer
	if err := root.GenBashCompletionV2(&script, descriptions); err != nil {
		return nil, fmt.Errorf("writing the completion script for bash: %w", err)
	}
	const needs = "    _get_comp_words_by_ref \"$@\" cur prev words cword\n"
	if bytes.Count(script.Bytes(), []byte(needs)) != 1 {
		return nil, errors.New("writing the completion script for bash: it has changed; compare bashWords with it")
	}
	return bytes.Replace(script.Bytes(), []byte(needs), []byte(bashWords), 1), nil
}

// bashWords sets words, cword, cur and prev. Bash cuts words at the characters of
// COMP_WORDBREAKS; at : and = they are put together again, since names and flags have these.
const bashWords = `    if declare -F _get_comp_words_by_ref >/dev/null 2>&1; then
        _get_comp_words_by_ref "$@" cur prev words cword
        return
    fi
    local rest=${COMP_LINE:0:COMP_POINT} apart word i
    words=()
    for ((i = 0; i <= COMP_CWORD; i++)); do
        apart=${rest%%[![:space:]]*}
        rest=${rest#"$apart"}
        word=${COMP_WORDS[i]}
        if ((i == COMP_CWORD)); then
            word=$rest
        fi
        rest=${rest#"$word"}
        if [[ -z $apart && $i -gt 0 && ($word == [:=]* || ${words[${#words[@]} - 1]} == *[:=]) ]]; then
            words[${#words[@]} - 1]+=$word
        else
            words+=("$word")
        fi
    done
    cword=$((${#words[@]} - 1))
    cur=${words[cword]}
    prev=
    if ((cword > 0)); then
        prev=${words[cword - 1]}
    fi
`

// completionUse says for each shell where its script goes.
var completionUse = map[string]string{
	"bash": "Print the script for completion in bash. To load it in this shell:\n\n" +
		"  eval \"$(gatewright completion bash)\"\n\n" +
		"To load it in every shell, put that line into ~/.bashrc, or with the package bash-completion:\n\n" +
		"  mkdir -p ~/.local/share/bash-completion/completions\n" +
		"  gatewright completion bash > ~/.local/share/bash-completion/completions/gatewright",
	"zsh": "Print the script for completion in zsh. To load it in this shell, after compinit:\n\n" +
		"  source <(gatewright completion zsh)\n\n" +
		"To load it in every shell, put it into a folder of $fpath, and start another shell:\n\n" +
		"  gatewright completion zsh > \"${fpath[1]}/_gatewright\"\n\n" +
		"If zsh completes nothing yet, put this into ~/.zshrc: autoload -U compinit; compinit",
	"fish": "Print the script for completion in fish. To load it in this shell:\n\n" +
		"  gatewright completion fish | source\n\n" +
		"To load it in every shell:\n\n" +
		"  gatewright completion fish > ~/.config/fish/completions/gatewright.fish",
	"powershell": "Print the script for completion in PowerShell. To load it in this shell:\n\n" +
		"  gatewright completion powershell | Out-String | Invoke-Expression\n\n" +
		"To load it in every shell, put that line into the file that $PROFILE names.",
}

// Completion makes the command completion of the root ready: where each script goes, and the
// script for bash.
func Completion(root *cobra.Command, streams Streams) {
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() != "completion" {
			continue
		}
		Group(cmd)
		cmd.Short = "Print the script for completion in a shell"
		cmd.Long = "Print the script with which a shell completes commands, flags, and the names in your project: APIs, " +
			"paths, functions, tables,\n" +
			"environments, groups and users. The help of each command below says where the script goes."
		for _, shell := range cmd.Commands() {
			shell.Short, shell.Long = "Print the script for "+shell.Name(), completionUse[shell.Name()]
			if shell.Name() == "bash" {
				shell.RunE = func(bash *cobra.Command, _ []string) error {
					without, _ := bash.Flags().GetBool("no-descriptions")
					script, err := BashCompletion(root, !without)
					if err != nil {
						return err
					}
					return PrintText(streams.Out, string(script))
				}
			}
		}
	}
}
