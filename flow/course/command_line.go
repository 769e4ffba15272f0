package course

import (
	"slices"
	"strings"
	"unicode"

	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// commandsOf splits a line into the commands that it joins with &&, each into its words, without the program's name.
func commandsOf(line string) ([][]string, error) {
	commands, err := wordsOf(line)
	if err != nil {
		return nil, err
	}
	// An && at the end joins nothing.
	if last := len(commands) - 1; len(commands[last]) == 0 {
		commands = commands[:last]
	}
	if len(commands) == 0 {
		return nil, lineProblem("it is empty", "type a command such as gatewright routes")
	}
	for i, command := range commands {
		if len(command) > 0 && command[0] == "gatewright" {
			commands[i] = command[1:]
		}
		if len(commands[i]) == 0 {
			return nil, lineProblem("a command is missing before or after &&", "type a command such as gatewright routes")
		}
	}
	return commands, nil
}

// wordsOf splits a line into the words of each command. Quotes and backslashes mean what they mean in a shell. Other
// special characters of a shell are an error, because no shell runs the line.
func wordsOf(line string) ([][]string, error) {
	var (
		commands = [][]string{nil}
		word     strings.Builder
		inWord   bool // a word has begun
		quote    rune
	)
	end := func() {
		if last := len(commands) - 1; inWord {
			commands[last] = append(commands[last], word.String())
		}
		word.Reset()
		inWord = false
	}
	runes := []rune(strings.TrimSpace(line))
	for i := 0; i < len(runes); i++ {
		r, next := runes[i], rune(0)
		if i+1 < len(runes) {
			next = runes[i+1]
		}
		switch {
		case quote == 0 && (r == '\'' || r == '"'):
			quote, inWord = r, true
		case r == quote:
			quote = 0
		case r == '\\' && quote != '\'' && next != 0:
			if quote == '"' && !strings.ContainsRune("\"\\$`", next) {
				word.WriteRune(r)
			}
			word.WriteRune(next)
			inWord = true
			i++
		case quote != 0:
			word.WriteRune(r)
		case unicode.IsSpace(r):
			end()
		case r == '&' && next == '&':
			end()
			commands = append(commands, nil)
			i++
		case strings.ContainsRune("|&;<>$`()*?~", r):
			return nil, lineProblem("the course runs it without a shell, so "+phrase.Quote(string(r))+" has no special meaning",
				"put it in single quotes, or remove it")
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, lineProblem("a quote is not closed", "close it with "+string(quote))
	}
	end()
	return commands, nil
}

func lineProblem(text, fix string) error {
	return &model.Problem{Field: "command", Text: text, Fix: fix}
}

// endless has the commands that need a screen of their own or run until they are stopped,
// each with the arguments with which it ends by itself.
var endless = map[string][]string{
	"sandbox": {"--once", "reset", "export", "import"}, "learn": {"--list"}, "dashboard": {}, "logs": {},
}

// isEndless reports whether a command does not end by itself. The command logs does not if it follows new lines.
func isEndless(command []string) bool {
	ends, known := endless[command[0]]
	return known && !hasWord(command, ends...) && !hasWord(command, "--help", "-h") &&
		(command[0] != "logs" || hasWord(command, "-f", "--follow"))
}

// hasWord reports whether a command has one of these arguments.
func hasWord(command []string, words ...string) bool {
	return slices.ContainsFunc(command[1:], func(w string) bool { return slices.Contains(words, w) })
}
