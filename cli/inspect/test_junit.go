package inspect

import (
	"encoding/xml"
	"strings"

	"gatewright/project"
	"gatewright/project/answer"
)

// The elements of a report of JUnit, as far as build servers agree on them
// (https://github.com/testmoapp/junitxml lists what each reads).
type (
	junitSuites struct {
		XMLName xml.Name   `xml:"testsuites"`
		Suite   junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		File    string        `xml:"file,attr"`
		Line    int           `xml:"line,attr"`
		Failure *junitMessage `xml:"failure"`
		Error   *junitMessage `xml:"error"`
		Out     string        `xml:"system-out,omitempty"`
	}
	junitMessage struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// junit returns the report in the format of JUnit: a test that does not hold is a failure, one that
// cannot be decided an error.
func junit(report answer.TestReport) ([]byte, error) {
	suite := junitSuite{Name: "access", Tests: len(report.Tests), Failures: report.Broken, Errors: report.Unclear}
	for _, t := range report.Tests {
		c := junitCase{
			Name: t.Test, Class: project.AccessTestFile, File: t.File, Line: t.Line,
			Out: strings.Join(t.Notes, "\n"),
		}
		switch {
		case t.Problem != "":
			c.Error = &junitMessage{Message: t.Problem, Text: t.Place()}
		case !t.Holds:
			lines := []string{"at " + t.Cases[0].Place()}
			if commands := t.Commands(); commands != "" {
				lines = append(lines, "this would fix it: "+commands)
			}
			if sent := t.Cases[0].Sandbox; sent != nil {
				lines = append(lines, sentWords(*sent))
			}
			c.Failure = &junitMessage{Message: t.Sentence(), Text: strings.Join(lines, "\n")}
		}
		suite.Cases = append(suite.Cases, c)
	}
	text, err := xml.MarshalIndent(junitSuites{Suite: suite}, "", "  ")
	if err != nil {
		return nil, err
	}
	return append([]byte(xml.Header), append(text, '\n')...), nil
}
