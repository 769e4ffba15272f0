package source

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"path"
	"strings"

	"gatewright/internal/file"
	"gatewright/internal/text/lazyregexp"
)

// compiledFrom returns the file of TypeScript that the TypeScript compiler would make the script base from,
// by the outDir of a tsconfig.json of the function; "" if there is none. It looks in the function's folder
// and in the folders in it, so it finds dist/index for src/index.ts, and src/index for lib/index.ts
// (https://www.typescriptlang.org/tsconfig/#outDir).
func compiledFrom(folder fs.FS, base string) string {
	dirs := []string{".", Folder}
	entries, _ := fs.ReadDir(folder, ".")
	for _, entry := range entries {
		if name := entry.Name(); entry.IsDir() && name != Folder && name != "node_modules" {
			dirs = append(dirs, name)
		}
	}
	for _, dir := range dirs {
		text, err := file.ReadIn(folder, path.Join(dir, "tsconfig.json"))
		if err != nil {
			continue
		}
		option := optionsOf(text)
		rest, ok := strings.CutPrefix(base, path.Join(dir, option["outDir"])+"/")
		if !ok || option["outDir"] == "" {
			continue
		}
		// Without a rootDir, the compiler takes the folder that all files are in.
		roots := []string{dir, path.Join(dir, "src"), path.Join(dir, "lib")}
		if option["rootDir"] != "" {
			roots = []string{path.Join(dir, option["rootDir"])}
		}
		for _, root := range roots {
			if found := firstFile(folder, path.Join(root, rest), typescript); found != "" {
				return found
			}
		}
	}
	return ""
}

// The texts and the comments of JSON with comments, and its commas before an end. The compiler ends a comment
// at the ends of lines of JavaScript (https://tc39.es/ecma262/#sec-line-terminators).
var (
	tokens  = lazyregexp.New(`"(?:[^"\\]|\\.)*"|//[^\n\r\x{2028}\x{2029}]*|(?s:/\*.*?\*/)`)
	trailed = lazyregexp.New(`"(?:[^"\\]|\\.)*"|,\s*[}\]]`)
	folders = lazyregexp.New(`"(outDir|rootDir)"\s*:\s*("(?:[^"\\]|\\.)*")`)
)

// PlainJSON returns JSON with comments, such as a tsconfig.json, as JSON: with blanks instead of comments, of
// commas before an end and of a byte order mark, so that everything else stays at its place.
func PlainJSON(text []byte) []byte {
	text = tokens().ReplaceAllFunc(text, func(token []byte) []byte {
		if token[0] == '"' {
			return token
		}
		return blanks(token)
	})
	text = trailed().ReplaceAllFunc(text, func(token []byte) []byte {
		if token[0] == '"' {
			return token
		}
		return append([]byte{' '}, token[1:]...)
	})
	if rest, marked := bytes.CutPrefix(text, []byte("\ufeff")); marked {
		text = append(bytes.Repeat([]byte{' '}, len(text)-len(rest)), rest...)
	}
	return text
}

// blanks are as long as a token, with its line feeds.
func blanks(token []byte) []byte {
	spaces := bytes.Repeat([]byte{' '}, len(token))
	for i, c := range token {
		if c == '\n' {
			spaces[i] = c
		}
	}
	return spaces
}

// optionsOf returns the folders that a tsconfig.json names: its outDir and rootDir.
func optionsOf(text []byte) map[string]string {
	text = PlainJSON(text)
	found := make(map[string]string)
	for _, match := range folders().FindAllSubmatch(text, -1) {
		var value string
		if json.Unmarshal(match[2], &value) == nil {
			found[string(match[1])] = value
		}
	}
	return found
}
