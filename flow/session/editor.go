package session

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"gatewright/internal/process"
)

// EditorName returns the name of the editor's program; "" for none.
func (s *Session) EditorName() string {
	words := editorWords(s.Editor)
	if len(words) == 0 {
		return ""
	}
	return filepath.Base(words[0])
}

// editorWords splits the setting of an editor into its program and the arguments. What is in double quotes is one
// word, and so is the path of a program that is there, since those of Windows often have spaces.
func editorWords(text string) (words []string) {
	if info, err := os.Stat(text); err == nil && info.Mode().IsRegular() {
		return []string{text}
	}
	for at, part := range strings.Split(text, `"`) {
		if at%2 == 1 && part != "" {
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	return words
}

// editors are the programs that Open looks for if neither VISUAL nor EDITOR is set.
var editors = []string{"sensible-editor", "nano", "micro", "hx", "nvim", "vim", "vi", "emacs", "notepad"}

// findEditor returns the first of the usual editors that is installed; "" for none.
func findEditor() string {
	for _, name := range editors {
		if _, err := exec.LookPath(name); err == nil {
			return name
		}
	}
	return ""
}

// How editors are told a line: as an option before the name, or after it. An editor that is
// not here gets the name alone, because an unknown option would open another file.
var (
	lineBefore = map[string]string{
		"vi": "+%d", "vim": "+%d", "nvim": "+%d", "view": "+%d", "gvim": "+%d", "nano": "+%d", "pico": "+%d", "micro": "+%d",
		"emacs":       "+%d",
		"emacsclient": "+%d", "kak": "+%d", "joe": "+%d", "ne": "+%d", "mg": "+%d", "gedit": "+%d", "sensible-editor": "+%d",
		"kate": "--line=%d",
	}
	lineAfter = map[string]string{
		"code": "--goto", "codium": "--goto", "code-insiders": "--goto", "cursor": "--goto",
		"hx": "", "helix": "", "subl": "", "zed": "",
	}
)

// Edit returns the command that opens a file in the editor. A relative name is the name of a file of the project.
func (s *Session) Edit(name string) *exec.Cmd { return s.EditAt(name, 0) }

// EditAt is Edit with the cursor on a line, counted from 1, if the editor has an option for it; 0 means none.
func (s *Session) EditAt(name string, line int) *exec.Cmd {
	if !filepath.IsAbs(name) {
		name = filepath.Join(s.Root(), filepath.FromSlash(name))
	}
	words := editorWords(s.Editor)
	args, program := words[1:len(words):len(words)], s.EditorName()
	if ending := strings.ToLower(filepath.Ext(program)); ending == ".exe" || ending == ".cmd" {
		program = strings.TrimSuffix(program, filepath.Ext(program))
	}
	before, isBefore := lineBefore[program]
	option, isAfter := lineAfter[program]
	switch {
	case line < 1:
	case isBefore:
		args = append(args, fmt.Sprintf(before, line))
	case isAfter:
		if option != "" {
			args = append(args, option)
		}
		name = fmt.Sprintf("%s:%d", name, line)
	}
	return process.Guard(exec.Command(words[0], append(args, name)...))
}
