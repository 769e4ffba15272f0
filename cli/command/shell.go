package command

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
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

// completionUse says for each shell how its script is loaded: in this shell, and in every one.
var completionUse = map[string]string{
	"bash": `  eval "$(gatewright completion bash)"
  echo 'eval "$(gatewright completion bash)"' >> ~/.bashrc
  gatewright completion bash | sudo tee /etc/bash_completion.d/gatewright`,
	"zsh": `  source <(gatewright completion zsh)
  echo 'source <(gatewright completion zsh)' >> ~/.zshrc
  gatewright completion zsh > "${fpath[1]}/_gatewright"`,
	"fish": `  gatewright completion fish | source
  gatewright completion fish > ~/.config/fish/completions/gatewright.fish
  gatewright completion fish --no-descriptions | source`,
	"powershell": `  gatewright completion powershell | Out-String | Invoke-Expression
  gatewright completion powershell >> $PROFILE
  gatewright completion powershell --no-descriptions >> $PROFILE`,
}

// PlainUsages takes the quotes around the names of values out of what flags say: shells show it as it is.
func PlainUsages(root *cobra.Command) {
	for _, cmd := range Visible(root) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) { _, f.Usage = pflag.UnquoteUsage(f) })
	}
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
		cmd.Short = "Set up your shell to complete commands and names"
		cmd.Long = `Print the script with which a shell completes commands, flags, and the names in your project: APIs,
paths, functions, tables, environments, groups and users.`
		for _, shell := range cmd.Commands() {
			name := map[string]string{"powershell": "PowerShell"}[shell.Name()]
			shell.Short = "Print the completion script for " + cmp.Or(name, shell.Name())
			shell.Long = shell.Short + `. The first example loads it in this shell, the second
in every new one. zsh needs this line in ~/.zshrc before: autoload -U compinit; compinit.`
			if shell.Name() != "zsh" {
				shell.Long, _, _ = strings.Cut(shell.Long, " zsh needs")
			}
			shell.Example = completionUse[shell.Name()]
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
