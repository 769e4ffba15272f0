package prose

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"gatewright/test/await"
	"gatewright/test/depth"
)

// languages are all languages by an ending of their files; the last is that of other files.
var languages = []*Language{JSON, JavaScript, Python, Go, nil}

// sourceLine generates lines that have many quotes, comments and marks.
var sourceLine = rapid.OneOf(
	rapid.StringMatching("([ {}\\[\\]():,\"'`\\\\a-c1-3.#$/*\t\x01é名]|//|/\\*|\\*/|\\$\\{|\"\"\"|'''|return |delete){0,30}"),
	rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))

func TestNothingOfALineIsLost(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l := rapid.SampledFrom(languages).Draw(t, "language")
		var s State
		for _, line := range rapid.SliceOfN(sourceLine, 1, 6).Draw(t, "lines") {
			if got, want := l.After(Printable(line), s), l.After(line, s); got != want {
				t.Fatalf("after %q the state is %v, and %v if it is printable", line, want, got)
			}
			parts, after := l.Lexemes(line, s)
			if got := l.After(line, s); got != after {
				t.Fatalf("after %q the state is %v, and %v by the fast way", line, after, got)
			}
			text := ""
			for _, part := range parts {
				if part.Text == "" {
					t.Fatalf("%q has an empty part", line)
				}
				text += part.Text
			}
			if text != line {
				t.Fatalf("%q is %q in parts", line, text)
			}
			s = after
		}
	})
}

var kindNames = [...]string{
	KindSpace: "space", KindName: "name", KindMark: "mark", KindComment: "comment", KindString: "string",
	KindKey: "key", KindKeyword: "keyword", KindWord: "word", KindCall: "call",
}

// told are the parts of a text but for spaces and marks, each with its kind.
func told(l *Language, text string) string {
	var got []string
	var s State
	for line := range strings.SplitSeq(text, "\n") {
		var parts []Lexeme
		parts, s = l.Lexemes(line, s)
		for _, part := range parts {
			if part.Kind != KindSpace && part.Kind != KindMark {
				got = append(got, kindNames[part.Kind]+" "+part.Text)
			}
		}
	}
	return strings.Join(got, "|")
}

func TestPartsOfALineAreToldApart(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ file, text, want string }{
		{"a.json", `  "a\"b" : ["c", -1.5e3, true],`, `key "a\"b"|string "c"|word -1.5e3|word true`},
		{"a.json", `"open`, `string "open`},

		{"a.js", `const x = await get(1.5, 'a\'b'); // "c"`, `keyword const|name x|keyword await|call get|word 1.5|string 'a\'b'|comment // "c"`},
		{"a.mjs", "a /* b\nc // d\n*/ e", "name a|comment /* b|comment c // d|comment */|name e"},
		{"a.cjs", "x = `a ${b({c: `d`})} \\` e\n${f}` + g", "name x|string `a |call b|name c|string `d`|string  \\` e|name f|string `|name g"},
		{"a.js", "s.replace(/[/`\"]\\//g, '') / 2 / n", "name s|call replace|string /[/`\"]\\//|name g|string ''|word 2|name n"},
		{"a.js", "return /'/.test(a) ? b / c : [...new Set(d)]", "keyword return|string /'/|call test|name a|name b|name c|keyword new|call Set|name d"},
		{"a.js", "cache.delete(null, $größe)", "name cache|call delete|word null|name $größe"},
		{"a.js", "'open\nnext", "string 'open|name next"},

		{"a.py", "def f(a): # b\n  return f\"c\" if not None", `keyword def|call f|name a|comment # b|keyword return|name f|string "c"|keyword if|keyword not|word None`},
		{"a.py", "x = \"\"\"a 'b'\n# c \\\"\"\" d\"\"\", '''\n''', ''", "name x|string \"\"\"a 'b'|string # c \\\"\"\" d\"\"\"|string '''|string '''|string ''"},

		{"A.GO", "func f() { return `a\\` + '\"' }", "keyword func|call f|keyword return|string `a\\`|string '\"'"},
		{"a.go", "x := `a\n// b\n` // c", "name x|string `a|string // b|string `|comment // c"},

		{"a.md", `# "a" // b`, `name # "a" // b`},
	} {
		if got := told(LanguageOf(row.file), row.text); got != row.want {
			t.Errorf("%s: the parts of %q are\n%s\nwant\n%s", row.file, row.text, got, row.want)
		}
	}
}

func TestEachKindOfPartHasItsTone(t *testing.T) {
	t.Parallel()
	want := map[Kind]Tone{
		KindSpace: Plain, KindName: Plain, KindMark: Muted, KindComment: Muted, KindString: Good, KindKey: Strong, KindKeyword: Strong, KindWord: Note, KindCall: Note,
	}
	for kind, name := range kindNames {
		if got := Kind(kind).Tone(); got != want[Kind(kind)] {
			t.Errorf("a %s has the tone %d", name, got)
		}
	}
	for file, l := range map[string]*Language{"a.json": JSON, "b/A.JS": JavaScript, "a.mjs": JavaScript, "a.cjs": JavaScript, "a.py": Python, "a.go": Go, "json": nil, "a.txt": nil} {
		if LanguageOf(file) != l {
			t.Errorf("%s is of another language", file)
		}
	}
}

// sample is a source text of about 4 KB that has all kinds of parts.
var sample = strings.Repeat("// The client is made once.\nasync function send(command) {\n\ttry {\n"+
	"\t\treturn await documents().send(command, { wrapNumbers: true, limit: 100 });\n"+
	"\t} catch (error) {\n\t\tthrow new HttpError(500, `the table ${name} failed: ` + error.message);\n\t}\n}\n", 16)

func TestALineOfAnyLengthIsReadInTimeThatGrowsWithIt(t *testing.T) {
	t.Parallel()
	for _, part := range []string{"/", "/[", "/* ", "${", "`${", "\"", "'", "\\", "a", "a(", "{", "(", "\"\" ", " ", "#", "1."} {
		line := strings.Repeat(part, depth.Rounds(32, 512, 512)<<10/len(part))
		for i, l := range languages {
			start := time.Now()
			l.Lexemes(line, State{})
			if took := time.Since(start); took > await.Limit(t)/4 {
				t.Errorf("%d bytes of %q took %s in language %d", len(line), part, took, i)
			}
		}
	}
}

func BenchmarkLexemes(b *testing.B) {
	lines := strings.Split(sample, "\n")
	for name, l := range map[string]*Language{"json": JSON, "javascript": JavaScript, "python": Python, "go": Go} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(sample)))
			for b.Loop() {
				var s State
				for _, line := range lines {
					_, s = l.Lexemes(line, s)
				}
			}
		})
	}
}

func BenchmarkTheStateAfterLines(b *testing.B) {
	lines := strings.Split(sample, "\n")
	b.SetBytes(int64(len(sample)))
	for b.Loop() {
		var s State
		for _, line := range lines {
			s = JavaScript.After(line, s)
		}
	}
}
