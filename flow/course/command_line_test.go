package course

import (
	"fmt"
	"strings"
	"testing"
)

func TestALineIsSplitIntoCommandsAsAShellDoes(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"gatewright routes":                  `[["routes"]]`,
		"  add   path\tshop  ":               `[["add" "path" "shop"]]`,
		`add 'a b' "c d" e\ f`:               `[["add" "a b" "c d" "e f"]]`,
		`add 'a'"b"c ''`:                     `[["add" "abc" ""]]`,
		`add "a\"b\\c\$d\e" 'f\g'`:           `[["add" "a\"b\\c$d\\e" "f\\g"]]`,
		`add "it's" 'say "x"'`:               `[["add" "it's" "say \"x\""]]`,
		"add '$a|b;c' \"(d)*?~\"":            `[["add" "$a|b;c" "(d)*?~"]]`,
		`add \| \'`:                          `[["add" "|" "'"]]`,
		"gatewright a && gatewright b&&c d":  `[["a"] ["b"] ["c" "d"]]`,
		"a &&":                               `[["a"]]`,
		"gatewright gatewright":              `[["gatewright"]]`,
		"":                                   "it is empty; type a command such as gatewright routes",
		"&&":                                 "a command is missing before or after &&",
		"a && && b":                          "a command is missing before or after &&",
		"&& b":                               "a command is missing before or after &&",
		"a && gatewright":                    "a command is missing before or after &&",
		"a & b":                              "the course runs it without a shell, so & has no special meaning; put it in single quotes, or remove it",
		"a < b":                              "the course runs it without a shell, so < has no special meaning",
		"a > b":                              "the course runs it without a shell, so > has no special meaning",
		"a; b":                               "the course runs it without a shell",
		"echo $HOME":                         "so $ has no",
		"a `b`":                              "so ` has no",
		"a (b":                               "so ( has no",
		"a b)":                               "so ) has no",
		"ls *":                               "so * has no",
		"ls ?":                               "so ? has no",
		"cd ~":                               "so ~ has no",
		"add 'x":                             "a quote is not closed; close it with '",
		`add "x`:                             `a quote is not closed; close it with "`,
		`add "it's`:                          `a quote is not closed; close it with "`,
		"add path /books/{isbn} --auth=a,b#": `[["add" "path" "/books/{isbn}" "--auth=a,b#"]]`,
	} {
		commands, err := commandsOf(line)
		got := fmt.Sprintf("%q", commands)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) || err == nil && got != want {
			t.Errorf("%s is %s, want %s", line, got, want)
		}
	}
}

func TestACommandThatDoesNotEndIsTold(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"sandbox": true, "sandbox --env qa": true, "sandbox --once": false, "sandbox reset": false, "sandbox export x": false, "sandbox import x": false,
		"sandbox --help": false, "sandbox -h": false, "learn": true, "learn paths": true, "learn --list": false, "dashboard": true, "dashboard --help": false,
		"logs": false, "logs books": false, "logs books -f": true, "logs --follow": true, "logs -f --help": false, "routes -f": false, "push": false, "add sandbox": false,
	} {
		if got := isEndless(strings.Fields(line)); got != want {
			t.Errorf("%s does not end: %v", line, got)
		}
	}
}

func TestOnlyTheBeginningOfALongOutputIsKept(t *testing.T) {
	t.Parallel()
	var kept limitedBuffer
	for range longestOutput/1000 + 2 {
		if n, err := kept.Write([]byte(strings.Repeat("x", 1000))); n != 1000 || err != nil {
			t.Fatal(n, err)
		}
	}
	if got := kept.kept.Len(); got != longestOutput {
		t.Errorf("%d bytes are kept", got)
	}
	var l listener
	l.listens = make(chan bool, 2)
	for _, text := range []string{"preparing\nlisten", "ing on http://127.0.0.1:1\nGET", " /books\n", "listening on http://127.0.0.1:2\n"} {
		if n, err := l.Write([]byte(text)); n != len(text) || err != nil {
			t.Fatal(n, err)
		}
	}
	if got := l.printed.String(); got != "preparing\nlistening on http://127.0.0.1:1\n" || len(l.listens) != 1 {
		t.Errorf("kept is %q, told %d times", got, len(l.listens))
	}
}
