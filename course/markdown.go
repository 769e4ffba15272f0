package course

import (
	"strings"
	"unicode"
)

// BlockKind is what a block of a text is.
type BlockKind uint8

// The kinds of blocks.
const (
	Paragraph BlockKind = iota
	Heading
	Item
	// Code is lines that are shown as they are.
	Code
)

// Block is a part of a text that begins a line of its own.
type Block struct {
	Kind BlockKind
	// Mark stands before an item: its number with a dot, or a dash.
	Mark string
	// Spans are what a block says; Source is the same as it was written. The
	// lines of a block of code are in Lines instead.
	Spans  []Span
	Source string
	Lines  []string
}

// SpanKind is how a part of a line is set off.
type SpanKind uint8

// The kinds of spans.
const (
	Plain SpanKind = iota
	Bold
	Literal
)

// Span is a part of a line.
type Span struct {
	Kind SpanKind
	Text string
}

const fence = "```"

// Blocks reads the part of Markdown that the course is written in: headings, lists
// with numbers or dashes whose items are one line each, paragraphs, fenced code,
// and within lines bold text and code. There is nothing that it refuses.
func Blocks(text string) []Block {
	var blocks []Block
	code := false
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		last := len(blocks) - 1
		switch {
		case strings.HasPrefix(line, fence):
			code = !code
			if code {
				blocks = append(blocks, Block{Kind: Code})
			}
		case code:
			blocks[last].Lines = append(blocks[last].Lines, line)
		case strings.TrimSpace(line) == "":
			if last >= 0 && blocks[last].Source != "" {
				blocks = append(blocks, Block{})
			}
		default:
			block := blockOf(line)
			if block.Kind == Paragraph && last >= 0 && blocks[last].Kind == Paragraph && blocks[last].Source != "" {
				block.Source = blocks[last].Source + " " + block.Source
				blocks = blocks[:last]
			}
			block.Spans = spans(block.Source)
			blocks = append(blocks, block)
		}
	}
	whole := blocks[:0]
	for _, b := range blocks {
		if b.Kind == Code || b.Source != "" {
			whole = append(whole, b)
		}
	}
	return whole
}

// blockOf reads a line that is no code.
func blockOf(line string) Block {
	if text := strings.TrimLeft(line, "#"); text != line && strings.HasPrefix(text, " ") {
		return Block{Kind: Heading, Source: strings.TrimSpace(text)}
	}
	if text, ok := strings.CutPrefix(line, "- "); ok {
		return Block{Kind: Item, Mark: "-", Source: text}
	}
	number, text, ok := strings.Cut(line, ". ")
	if ok && number != "" && !strings.ContainsFunc(number, func(r rune) bool { return !unicode.IsDigit(r) }) {
		return Block{Kind: Item, Mark: number + ".", Source: text}
	}
	return Block{Source: line}
}

// spans reads a line. A mark that nothing closes is text.
func spans(line string) []Span {
	var all []Span
	add := func(kind SpanKind, text string) {
		if text != "" {
			all = append(all, Span{kind, text})
		}
	}
	for line != "" {
		at := strings.IndexAny(line, "*`")
		if at < 0 {
			add(Plain, line)
			break
		}
		kind, mark := Literal, "`"
		if line[at] == '*' {
			kind, mark = Bold, "**"
		}
		inside, rest, closed := strings.Cut(strings.TrimPrefix(line[at:], mark), mark)
		if !closed || !strings.HasPrefix(line[at:], mark) {
			add(Plain, line[:at+1])
			line = line[at+1:]
			continue
		}
		add(Plain, line[:at])
		add(kind, inside)
		line = rest
	}
	return all
}

// Text is what a block says, without marks: what is read aloud.
func (b Block) Text() string {
	var text strings.Builder
	for _, s := range b.Spans {
		text.WriteString(s.Text)
	}
	return text.String()
}

// PlainLines are the lines of a text without any marks, a block's in one, with an
// empty line between blocks but for the items of a list.
func PlainLines(text string) []string {
	var lines []string
	before := Paragraph
	for i, b := range Blocks(text) {
		if i > 0 && (b.Kind != Item || before != Item) {
			lines = append(lines, "")
		}
		before = b.Kind
		switch b.Kind {
		case Code:
			for _, line := range b.Lines {
				lines = append(lines, "  "+line)
			}
		case Item:
			lines = append(lines, b.Mark+" "+b.Text())
		default:
			lines = append(lines, b.Text())
		}
	}
	return lines
}
