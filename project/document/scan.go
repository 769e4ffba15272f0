package document

import (
	"bytes"
	"math"

	"github.com/go-json-experiment/json/jsontext"
)

// node is one value of the document. All nodes are in one slice in the order in which they start, so a container's
// first child is the next node. A value that is not an object member has an empty key at its own start.
type node struct {
	key, keyEnd uint32
	start, end  uint32
	next        uint32 // the node after this one and everything in it
	count       uint32 // number of children
	kind        Kind
}

// scan fills d.nodes from the tokens of d.src.
func (d *Document) scan() error {
	if uint64(len(d.src)) >= math.MaxUint32 {
		return &SyntaxError{
			Line: 1, Column: 1, Text: "the file is larger than 4 GiB", Fix: "split it into smaller files",
		}
	}
	shift := d.bodyStart()
	body := d.src[shift:]
	if len(bytes.Trim(body, whiteSpace)) == 0 {
		return &SyntaxError{Line: 1, Column: 1, Text: "the file is empty", Fix: "write a JSON value, at least {}"}
	}
	d.nodes = make([]node, 0, expectedNodes(body))
	decoder := jsontext.NewDecoder(bytes.NewBuffer(body))
	var open []uint32
	var key, keyEnd uint32
	end := uint32(shift)
	for {
		token, err := decoder.ReadToken()
		if err != nil {
			return d.syntaxError(err, shift, len(open))
		}
		start := d.skipPunctuation(end)
		end = uint32(shift + int(decoder.InputOffset()))
		kind := kindOf(token.Kind())
		inObject := len(open) > 0 && d.nodes[open[len(open)-1]].kind == Object
		switch {
		case kind == Invalid:
			last := open[len(open)-1]
			open = open[:len(open)-1]
			d.nodes[last].end = end
			d.nodes[last].next = uint32(len(d.nodes))
		case inObject && keyEnd == 0:
			key, keyEnd = start, end
			continue
		default:
			if !inObject {
				key, keyEnd = start, start
			}
			number := uint32(len(d.nodes))
			d.nodes = append(d.nodes, node{key: key, keyEnd: keyEnd, start: start, end: end, next: number + 1, kind: kind})
			keyEnd = 0
			if len(open) > 0 {
				d.nodes[open[len(open)-1]].count++
			}
			if kind == Object || kind == Array {
				open = append(open, number)
			}
		}
		if len(open) == 0 {
			return d.checkEnd(int(end))
		}
	}
}

// checkEnd refuses text after the document's value.
func (d *Document) checkEnd(end int) error {
	rest := bytes.TrimLeft(d.src[end:], whiteSpace)
	if len(rest) == 0 {
		return nil
	}
	return d.errorAt(len(d.src)-len(rest), "", "more text after the end of the JSON value",
		"remove it, or the bracket that closes the value too early")
}

// skipPunctuation returns where the lexeme after offset i starts. The tokenizer has checked the punctuation.
func (d *Document) skipPunctuation(i uint32) uint32 {
	for {
		switch d.src[i] {
		case ' ', '\t', '\r', '\n', ',', ':':
			i++
		default:
			return i
		}
	}
}

// expectedNodes estimates the number of values, so that the slice need not grow: every value except the root follows
// a comma or an opening bracket. Commas and brackets in strings make the estimate too high, hence the limit.
func expectedNodes(src []byte) int {
	count := 1
	for _, sep := range []string{",", "{", "["} {
		count += bytes.Count(src, []byte(sep))
	}
	return min(count, 1+len(src)/8)
}

// kindOf returns the kind of the value that a lexeme starts; Invalid for a closing bracket.
func kindOf(k jsontext.Kind) Kind {
	switch k {
	case 'n':
		return Null
	case 't', 'f':
		return Bool
	case '0':
		return Number
	case '"':
		return String
	case '[':
		return Array
	case '{':
		return Object
	default:
		return Invalid
	}
}
