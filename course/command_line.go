package course

import (
	"slices"
	"strings"
	"unicode"

	"gatewright/model"
)

// commandsOf splits a line into the commands that it joins with &&, each into its
// words, without the program's name. Quotes are a shell's; whatever else a shell
// would read in it is refused, since no shell runs it.
func commandsOf(line string) ([][]string, error) {
	words, err := wordsOf(line)
	if err != nil {
		return nil, err
	}
	var commands [][]string
	for len(words) > 0 {
		end := slices.IndexFunc(words, func(w word) bool { return w.joins })
		if end < 0 {
			end = len(words)
		}
		var command []string
		for _, w := range words[:end] {
			command = append(command, w.text)
		}
		if len(command) > 0 && command[0] == "gatewright" {
			command = command[1:]
		}
		if len(command) == 0 {
			return nil, refuse("a command is missing", "type one such as gatewright routes")
		}
		commands = append(commands, command)
		words = words[min(end+1, len(words)):]
	}
	if len(commands) == 0 {
		return nil, refuse("it is empty", "type one such as gatewright routes")
	}
	return commands, nil
}

// word is a word of a line, or the && between two commands.
type word struct {
	text  string
	joins bool
}

func wordsOf(line string) ([]word, error) {
	var (
		words []word
		text  strings.Builder
		open  bool // a word has begun
		quote rune
	)
	end := func() {
		if open {
			words = append(words, word{text: text.String()})
		}
		text.Reset()
		open = false
	}
	runes := []rune(strings.TrimSpace(line))
	for i := 0; i < len(runes); i++ {
		r := runes[i]
		switch {
		case quote == 0 && (r == '\'' || r == '"'):
			quote, open = r, true
		case r == quote:
			quote = 0
		case r == '\\' && quote != '\'' && i+1 < len(runes):
			i++
			if quote == '"' && !strings.ContainsRune("\"\\$`", runes[i]) {
				text.WriteRune(r)
			}
			text.WriteRune(runes[i])
			open = true
		case quote != 0:
			text.WriteRune(r)
		case unicode.IsSpace(r):
			end()
		case r == '&' && i+1 < len(runes) && runes[i+1] == '&':
			end()
			words = append(words, word{joins: true})
			i++
		case strings.ContainsRune("|&;<>$`()*?~", r):
			return nil, refuse("no shell reads it, so "+model.Quote(string(r))+" means nothing", "put it in single quotes, or leave it out")
		default:
			text.WriteRune(r)
			open = true
		}
	}
	if quote != 0 {
		return nil, refuse("a quote is not closed", "close it with "+string(quote))
	}
	end()
	return words, nil
}

func refuse(text, fix string) error {
	return &model.Problem{Field: "command", Text: text, Fix: fix}
}

// manner is how a command runs.
type manner uint8

const (
	toItsEnd manner = iota
	goesOn
	notHere
)

// mannerOf says how a command runs here: most to their end, the sandbox goes on,
// and what needs a screen of its own or never ends does not.
func mannerOf(command []string) manner {
	has := func(words ...string) bool {
		return slices.ContainsFunc(command[1:], func(w string) bool { return slices.Contains(words, w) })
	}
	switch {
	case has("--help", "-h"):
		return toItsEnd
	case command[0] == "sandbox" && !has("--once", "reset", "export", "import"):
		return goesOn
	case command[0] == "learn" && !has("--list"), command[0] == "dashboard", command[0] == "logs" && has("-f", "--follow"):
		return notHere
	}
	return toItsEnd
}
