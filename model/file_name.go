package model

import (
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
)

// devices are the names that Windows gives to devices, in every folder, with any ending and in any case; COM and LPT
// have a digit behind them. https://learn.microsoft.com/en-us/windows/win32/fileio/naming-a-file
var devices = []string{"con", "prn", "aux", "nul"}

// FileNameProblem returns why no file or folder can have a name on Windows, and "" if one can.
// The files of a project are shared between machines, so its names are checked on every system.
func FileNameProblem(name string) string {
	stem, _, _ := strings.Cut(strings.ToLower(name), ".")
	numbered := len(stem) == 4 && (strings.HasPrefix(stem, "com") || strings.HasPrefix(stem, "lpt")) &&
		stem[3] >= '0' && stem[3] <= '9'
	switch {
	case numbered || slices.Contains(devices, stem):
		return phrase.Quote(name) + " is a device name on Windows, where no file can have it"
	case strings.HasSuffix(name, "."):
		return phrase.Quote(name) + " ends with a dot, which Windows does not allow"
	}
	return ""
}

// NotOnWindows warns of names that no file can have on Windows. Edits refuse to make such names.
func NotOnWindows(kind Kind, names []string) []*Problem {
	var problems []*Problem
	for _, name := range names {
		if text := FileNameProblem(name); text != "" {
			problems = append(problems, &Problem{
				Of: Ref{Kind: kind, Name: name}, Text: text, Level: Warning,
				Fix: "rename it, or the project cannot be used on Windows",
			})
		}
	}
	return problems
}

// CheckHandler checks that an entry point names a file below the function's source. A
// backslash separates folders and a drive letter is absolute on every system, since a
// project is shared between systems. The error is a *Problem whose Field is "handler".
func CheckHandler(handler string) error {
	drive := len(handler) > 1 && handler[1] == ':' && handler[0]|0x20 >= 'a' && handler[0]|0x20 <= 'z'
	inside := !drive && !strings.HasPrefix(handler, "/") && !strings.HasPrefix(handler, `\`)
	for segment := range strings.FieldsFuncSeq(handler, func(r rune) bool { return r == '/' || r == '\\' }) {
		inside = inside && segment != ".."
	}
	if inside {
		return nil
	}
	return &Problem{
		Field: "handler", Text: "the handler " + phrase.Quote(handler) + " leads out of the function's folder",
		Fix: "name a file below src, such as index.handler",
	}
}
