package main

import (
	"crypto/sha256"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"gatewright/tools/story"
)

// TestThePicturesCanBeShown holds each picture to what a page can show: well-formed, small, without scripts and what is
// loaded from elsewhere, with a still that is its own, and shown
// by a page with a text for who does not see it.
func TestThePicturesCanBeShown(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../docs/pictures/*.svg")
	if err != nil || len(files) < 4 || len(files)%2 != 0 {
		t.Fatalf("%d pictures: %v", len(files), err)
	}
	pages, err := filepath.Glob("../../docs/*/*.md")
	if err != nil {
		t.Fatal(err)
	}
	var shown strings.Builder
	for _, page := range append(pages, "../../README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		shown.Write(text)
	}
	for _, file := range files {
		name, _, _ := strings.Cut(filepath.Base(file), "-")
		for _, part := range []string{`srcset="[a-z./]*pictures/%s-dark\.svg"`, `alt="[^"]{20,}" src="[a-z./]*pictures/%s-light\.svg"`} {
			if !regexp.MustCompile(fmt.Sprintf(part, name)).MatchString(shown.String()) {
				t.Errorf("no page shows %s with %s", name, part)
			}
		}
		svg, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		png, err := os.ReadFile(strings.TrimSuffix(file, ".svg") + ".png")
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(svg), fmt.Sprintf("%x", sha256.Sum256(png))) {
			t.Errorf("the PNG is that of another %s", file)
		}
		if len(svg) > 400_000 {
			t.Errorf("%s has %d bytes", file, len(svg))
		}
		rules := strings.Count(string(svg), "{animation:k")
		if moving := regexp.MustCompile(`\{animation:k\d+ \d+\.\d\ds step-end infinite\}`).FindAll(svg, -1); rules == 0 || len(moving) != rules {
			t.Errorf("%s moves by %d of its %d rules", file, len(moving), rules)
		}
		if found := regexp.MustCompile(`<script|<foreignObject|href|url\(|@import|\bon\w+=`).Find(svg); found != nil {
			t.Errorf("%s has %s", file, found)
		}
		decoder := xml.NewDecoder(strings.NewReader(string(svg)))
		for err = error(nil); err == nil; _, err = decoder.Token() {
		}
		if err != io.EOF {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// TestEachFrameShowsItsOwnText reads the keyframes of a picture as a browser does: at each time, the lines that are
// visible are those of the frame of that time, and without keyframes those of the last frame.
func TestEachFrameShowsItsOwnText(t *testing.T) {
	t.Parallel()
	var frames []story.Frame
	for i, screen := range []string{"$ \n", "\x1b[1m<a>\x1b[0m & b\n", "$ \nlast\n", "\x1b[38;2;1;2;3mx\x1b[39m y\nlast\n", "x y\n\x1b[7mlast\x1b[0m\n", "$ \n\n"} {
		frames = append(frames, story.Frame{At: time.Duration(i) * time.Second, Title: "title " + strconv.Itoa(i/4), Screen: screen})
	}
	svg := draw(story.Story{Width: 12, Height: 2}, frames, time.Duration(len(frames))*time.Second, themes[0])
	keyframes := make(map[string]string)
	for _, found := range regexp.MustCompile(`@keyframes (k\d+)\{(.*)\}\n`).FindAllStringSubmatch(svg, -1) {
		keyframes[found[1]] = found[2]
	}
	things := regexp.MustCompile(`<g(?: class="([^"]*)")?>(?:<(?:path|rect)[^>]*>)*<text ([^>]*)>(.*?)</text>`).FindAllStringSubmatch(svg, -1)
	for i := range len(frames) + 1 {
		still := i == len(frames)
		frame := frames[min(i, len(frames)-1)]
		var got []string
		for _, thing := range things {
			name, hidden, _ := strings.Cut(thing[1], " ")
			visible, last := hidden == "", -1.0
			for _, rule := range regexp.MustCompile(`([^{}]+)\{visibility:(\w+)\}`).FindAllStringSubmatch(keyframes[name], -1) {
				for part := range strings.SplitSeq(rule[1], ",") {
					at, err := strconv.ParseFloat(strings.TrimSuffix(part, "%"), 64)
					if err != nil {
						t.Fatal(err)
					}
					if !still && at > last && at <= 100*float64(i)/float64(len(frames))+0.01 {
						visible, last = rule[2] == "visible", at
					}
				}
			}
			if visible {
				got = append(got, strings.TrimSpace(regexp.MustCompile("<[^>]*>").ReplaceAllString(thing[3], "")))
			}
		}
		text := strings.NewReplacer("<", "&lt;", ">", "&gt;", "&", "&amp;").Replace(frame.Title + "\n" + story.Text(frame.Screen))
		var want []string
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" {
				want = append(want, line)
			}
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("frame %d shows\n%q\nand not\n%q", i, got, want)
		}
	}
}
