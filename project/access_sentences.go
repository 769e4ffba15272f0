package project

import (
	"errors"
	"io/fs"
	"slices"
	"strconv"

	"gatewright/model"
	"gatewright/model/assertion"
	"gatewright/project/document"
	"gatewright/project/read"
)

// AccessTestFile is the file of the access tests, at the top of a project of either layout.
const AccessTestFile = "access.test.json"

// AccessTest is an access test of the project with its place in AccessTestFile.
type AccessTest struct {
	// Text is the sentence.
	Text string
	// Line and Column count from 1.
	Line, Column int
}

// AccessTests reads the access tests; there are none without their file. The error is a *Problem.
func (p *Project) AccessTests() ([]AccessTest, error) {
	f, err := p.ReadAccessTests()
	if f == nil || err != nil {
		return nil, err
	}
	list, _ := f.Doc.Find("/tests")
	if list.Kind() != document.Array {
		return nil, f.Problem(model.Error, "", "write \"tests\": [...]", "has no list of tests")
	}
	var tests []AccessTest
	for i, item := range list.Elements() {
		at := TestPointer(i)
		if item.Kind() != document.String {
			return nil, f.Problem(model.Error, at, "write a sentence such as \"guests never DELETE\"",
				"expected a string, found %s", read.KindOf(item))
		}
		test := AccessTest{Text: item.Text()}
		test.Line, test.Column, _ = f.Doc.Position(at)
		tests = append(tests, test)
	}
	return tests, nil
}

// TestPointer returns the JSON pointer of an access test in its file.
func TestPointer(i int) string { return "/tests/" + strconv.Itoa(i) }

// ReadAccessTests reads AccessTestFile; nil if there is none.
func (p *Project) ReadAccessTests() (*read.File, error) {
	f, err := read.JSON(p.FS, AccessTestFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if later := read.LaterVersion(f); later != nil {
		return nil, later
	}
	return f, nil
}

// TestsAbout returns those of access tests that are about an environment, "" for any: those that name no other one.
func TestsAbout(tests []AccessTest, environment string) []AccessTest {
	return slices.DeleteFunc(tests, func(t AccessTest) bool {
		named := assertion.EnvironmentOf(t.Text)
		return environment != "" && named != "" && named != environment
	})
}

// Texts returns the sentences of access tests.
func Texts(tests []AccessTest) []string {
	texts := make([]string, len(tests))
	for i, t := range tests {
		texts[i] = t.Text
	}
	return texts
}
