package check

import (
	"strconv"

	"gatewright/internal/openapi"
	"gatewright/internal/openapi/judge"
	"gatewright/internal/text/prose"
)

// Finding is one way in which a request or an answer breaks its contract, or a part of the
// contract that is not judged.
type Finding struct {
	// Where is the part: "path", "path isbn", "query limit", "header X-Trace", "cookie id",
	// "body", "body /items/0/name" (a pointer of RFC 6901), "request" as a whole; the same
	// after "answer" in an answer, and "contract" with a pointer for what is not judged.
	Where string
	// Text is a part of a sentence about it, such as "is missing". Both are printable, and
	// short.
	Text string
	// Line and Column are the place in the contract, from 1; 0 for none.
	Line, Column int
	// Unchecked says that nothing breaks the contract, but that the part was not checked.
	Unchecked bool
}

// String returns one line: "query limit is a string and not an integer, see line 12 of the
// contract".
func (f Finding) String() string {
	line := f.Where + " " + f.Text
	if f.Line > 0 {
		line += ", see line " + strconv.Itoa(f.Line) + " of the contract"
	}
	return line
}

// The lengths of the parts of a finding, in characters.
const (
	longestWhere = 200
	longestText  = 300
)

// short makes a text printable, and cuts it.
func short(text string, most int) string {
	n := 0
	for i := range text {
		if n++; n > most {
			text = text[:i] + "…"
			break
		}
	}
	return prose.Printable(text)
}

// place is a place in the contract.
type place struct{ line, column int }

func placeOf(o *openapi.Operation) place { return place{o.Line, o.Column} }

// judgement is what is found of one request or answer.
type judgement struct {
	run *judge.Run
	// whole is what is judged, "request" or "answer", and before is what stands before the
	// name of a part.
	whole, before string
	findings      []Finding
}

func newJudgement(way judge.Way) *judgement {
	j := &judgement{run: judge.NewRun(way), whole: "request"}
	if way == judge.Answer {
		j.whole, j.before = "response", "response "
	}
	return j
}

// add adds a finding about a part; "" is the whole.
func (j *judgement) add(part, text string, at place) {
	if len(j.findings) >= judge.Most {
		return
	}
	where := j.before + part
	if part == "" {
		where = j.whole
	}
	j.findings = append(j.findings,
		Finding{Where: short(where, longestWhere), Text: short(text, longestText), Line: at.line, Column: at.column})
}

// unchecked adds that a part was not checked, and why.
func (j *judgement) unchecked(part, why string, at place) {
	had := len(j.findings)
	if j.add(part, "was not checked"+why, at); len(j.findings) > had {
		j.findings[had].Unchecked = true
	}
}

// addAll adds the faults of a value.
func (j *judgement) addAll(part string, faults []judge.Fault) {
	for _, f := range faults {
		where := part
		if f.Pointer != "" {
			where += " " + f.Pointer
		}
		j.add(where, f.Text, place{f.Line, f.Column})
	}
}

// end returns what was found. If the schemas took too long, it says so.
func (j *judgement) end(at place) []Finding {
	if !j.run.Whole() {
		j.findings = j.findings[:min(len(j.findings), judge.Most-1)]
		j.unchecked("", " whole, because it takes too long", at)
	}
	return j.findings
}
