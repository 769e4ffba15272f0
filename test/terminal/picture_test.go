package terminal

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"gatewright/test/depth"
	"gatewright/test/program"
	"gatewright/tools/story"

	"github.com/google/go-cmp/cmp"
)

// TestThePicturesShowThisProgram plays the stories of the pictures in docs/pictures again, without their pauses: each
// must go as it went, and end with the words with which its picture ends. Numbers, dates and ids may differ.
func TestThePicturesShowThisProgram(t *testing.T) {
	needTmux(t)
	const again = `if that is meant, "go run ./tools/picture %s" makes the picture again`
	program := program.Built(t)
	stories, err := story.All()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../../docs/pictures/*-dark.svg")
	if err != nil || len(files) < 2 {
		t.Fatalf("%d pictures: %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), "-dark.svg")
		t.Run(name, func(t *testing.T) {
			if name != "wizard" {
				depth.Gate(t)
			}
			t.Parallel()
			at := slices.IndexFunc(stories, func(s story.Story) bool { return s.Name == name })
			if at < 0 {
				t.Fatal("it has no story")
			}
			want := wordsOf(t, file)
			if diff := cmp.Diff(want, wordsOf(t, strings.Replace(file, "-dark", "-light", 1))); diff != "" {
				t.Errorf("light and dark differ; "+again+":\n%s", name, diff)
			}
			play := story.Play{Program: program, Work: filepath.Join(t.TempDir(), "work"), Foreground: "#d8dee9", Background: "#14181f"}
			var last []string
			play.End = func(screen string) bool {
				last = words(strings.Split(screen, "\n"))
				return slices.Equal(last, want)
			}
			if _, _, err := play.Run(t.Context(), stories[at]); err != nil {
				t.Errorf("%v\n"+again+":\n%s", err, name, cmp.Diff(want, last))
			}
		})
	}
}

// words are the lines of a screen without what draws boxes, with one space between words, and a sign for those with a number.
func words(lines []string) []string {
	var out []string
	for _, line := range lines {
		fields := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r >= '─' && r <= '▐' })
		for i, field := range fields {
			if strings.ContainsFunc(field, unicode.IsDigit) {
				fields[i] = "#"
			}
		}
		if len(fields) > 0 {
			out = append(out, strings.Join(fields, " "))
		}
	}
	return out
}

// wordsOf are the words of the last frame of a picture: those that have no class h.
func wordsOf(t *testing.T, file string) []string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	var hidden []bool // of the groups around, and of the text itself
	for decoder := xml.NewDecoder(bytes.NewReader(data)); ; {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return words(lines)
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			is := len(hidden) > 0 && hidden[len(hidden)-1]
			for _, attribute := range token.Attr {
				is = is || attribute.Name.Local == "class" && slices.Contains(strings.Fields(attribute.Value), "h")
				if attribute.Name.Local == "y" && token.Name.Local == "text" && attribute.Value == "15" && !is {
					lines = append(lines, "")
				}
				if attribute.Name.Local == "x" && token.Name.Local == "tspan" && !is {
					x, _ := strconv.Atoi(attribute.Value)
					last := &lines[len(lines)-1]
					*last += strings.Repeat(" ", max(0, x/10-utf8.RuneCountInString(*last)))
				}
			}
			hidden = append(hidden, is || !slices.Contains([]string{"svg", "g", "text", "tspan"}, token.Name.Local))
		case xml.EndElement:
			hidden = hidden[:len(hidden)-1]
		case xml.CharData:
			if len(lines) > 0 && len(hidden) > 0 && !hidden[len(hidden)-1] {
				lines[len(lines)-1] += string(bytes.TrimSuffix(token, []byte("\n")))
			}
		}
	}
}
