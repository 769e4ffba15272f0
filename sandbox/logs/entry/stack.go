package entry

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// trace is the kind of a stack that is printed line by line.
type trace uint8

const (
	noTrace trace = iota
	pythonTrace
	// pythonChain follows the last line of a Python stack: another one may follow.
	pythonChain
	goTrace
)

const pythonHead = "Traceback (most recent call last):"

// startsTrace is the kind of stack that a text without a level begins.
func startsTrace(text string) trace {
	switch {
	case strings.HasPrefix(text, pythonHead):
		return pythonTrace
	case strings.HasPrefix(text, "panic: "), strings.HasPrefix(text, "fatal error: "),
		strings.HasPrefix(text, "goroutine "):
		return goTrace
	}
	return noTrace
}

// goesOn reports whether plain output goes on with the stack before it, and what follows.
func (t trace) goesOn(text string) (bool, trace) {
	indented := strings.HasPrefix(text, " ") || strings.HasPrefix(text, "\t")
	switch t {
	case pythonTrace:
		if indented {
			return true, pythonTrace
		}
		return true, pythonChain
	case pythonChain:
		switch {
		case text == "", strings.HasPrefix(text, "During handling of the above exception"),
			strings.HasPrefix(text, "The above exception was"):
			return true, pythonChain
		case strings.HasPrefix(text, pythonHead):
			return true, pythonTrace
		}
	case goTrace:
		return true, goTrace
	}
	return indented, noTrace
}

// Place is a line of a file that a text names. File is "" for no place.
type Place struct {
	File         string
	Line, Column int
}

// frames match the lines of stacks that name a place. They are made when a log is first read:
// most commands read none.
var frames = sync.OnceValue(func() (all struct{ inBrackets, atPlace, python, golang, first *regexp.Regexp }) {
	// A frame of Node.js: "    at total (/src/prices.js:3:48)"; one of Go has no column.
	all.inBrackets = regexp.MustCompile(`^\s+at .*\((.+?):(\d+)(?::(\d+))?\)`)
	// One without a name: "    at async file:///src/index.mjs:3:9".
	all.atPlace = regexp.MustCompile(`^\s+at (?:async )?([^()]+):(\d+):(\d+)`)
	// `  File "/src/index.py", line 16, in handler`.
	all.python = regexp.MustCompile(`^\s+File "(.+?)",? [Ll]ine (\d+)`)
	// "\t/src/main.go:12 +0x1d".
	all.golang = regexp.MustCompile(`^\s+(\S.*\.go):(\d+)(?: \+0x[0-9a-f]+)?$`)
	// The beginning of a syntax error of Node.js, "/src/index.js:5", and of a warning of
	// Python, "/src/index.py:42: UserWarning: old".
	all.first = regexp.MustCompile(`^((?:file://)?(?:/|[A-Za-z]:[\\/])[^:]+):(\d+)(?:$|: )`)
	return all
})

// placeIn is the place that a line of a stack names.
func placeIn(line string) Place {
	if len(line) > longestFrame {
		return Place{}
	}
	f := frames()
	for _, frame := range []*regexp.Regexp{f.inBrackets, f.atPlace, f.python, f.golang, f.first} {
		found := frame.FindStringSubmatch(line)
		if found == nil {
			continue
		}
		p := Place{File: found[1]}
		p.Line, _ = strconv.Atoi(found[2])
		if len(found) > 3 {
			p.Column, _ = strconv.Atoi(found[3])
		}
		return p
	}
	return Place{}
}

// longestFrame is the length of the longest line that is looked at for a place.
const longestFrame = 2 << 10

// Origin is the place where the failure in lines came up: the first one that they
// name, of Python the last one, since its stacks end with the newest call.
func Origin(lines []Line) Place {
	var at Place
	for _, line := range lines {
		if line.Place.File == "" {
			continue
		}
		at = line.Place
		if !strings.HasSuffix(at.File, ".py") {
			break
		}
	}
	return at
}

// isFrame reports whether a line is a frame of a stack, and not its message.
func isFrame(line string) bool {
	trimmed := strings.TrimLeft(line, " \t")
	return len(trimmed) < len(line) && (strings.HasPrefix(trimmed, "at ") || strings.HasPrefix(trimmed, "File \"")) ||
		len(line) < longestFrame && frames().golang.MatchString(line)
}
