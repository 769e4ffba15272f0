package judge_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gatewright/internal/openapi/judge"
)

func TestNumbersAreReadAsJSONAndYAMLWriteThem(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"0": "0 whole", "-0": "0 whole", "0.00": "0 whole", "0e5": "0 whole", "00": "0 whole",
		"1": "1e0 whole", "+1": "1e0 whole", "-1": "-1e0 whole", "10": "1e1 whole", "007": "7e0 whole",
		"1.50": "15e-1", "-0.0250": "-25e-3", ".5": "5e-1", "5.": "5e0 whole", "100.10": "1001e-1",
		"1e2": "1e2 whole", "1E+2": "1e2 whole", "12e-1": "12e-1", "120e-1": "12e0 whole", "1.2e1": "12e0 whole", "1.23e1": "123e-1",
		"1e1099511627776": "1e1099511627776 whole", "1e1099511627777": "1e1099511627776 whole",
		"1e99999999999999999999": "1e1099511627776 whole", "1e-99999999999999999999": "1e-1099511627776",
		"0x1F": "31e0 whole", "-0x10": "-16e0 whole", "0o17": "15e0 whole", "0x" + strings.Repeat("0", 97) + "1": "1e0 whole",
		"0x" + strings.Repeat("0", 98) + "1": "", "0x": "", "0xG": "", "0b1": "",
		"": "", "-": "", "+": "", ".": "", "e1": "", "1e": "", "1e+": "", "1e+-1": "", "1e-+1": "", "1ex": "", "1e1.5": "",
		"1.2.3": "", "1:2": "", "1/2": "", ".inf": "", "NaN": "", " 1": "", "1_000": "", "--1": "",
	} {
		d, ok := judge.ParseDecimal(text)
		got := ""
		if ok {
			got = d.String()
			if d.Whole() {
				got += " whole"
			}
		}
		if got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestNumbersAreInTheirOrder(t *testing.T) {
	t.Parallel()
	sorted := []string{"-1e9", "-20", "-2.5", "-2", "-0.2", "-0.02", "0", "0.02", "0.2", "0.21", "2", "2.5", "20", "1e9"}
	for i, a := range sorted {
		for j, b := range sorted {
			x, _ := judge.ParseDecimal(a)
			y, _ := judge.ParseDecimal(b)
			want := 0
			if i < j {
				want = -1
			} else if i > j {
				want = 1
			}
			if got := x.Compare(y); got != want {
				t.Errorf("%s and %s: %d, want %d", a, b, got, want)
			}
		}
	}
}

func TestANumberOfManyPlacesIsNotCalculatedWith(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"0": "0", "-1.25": "-5/4", "1e3": "1000",
		"1e999": "1" + strings.Repeat("0", 999), "1e1000": "", "1e-1001": "1/1" + strings.Repeat("0", 1001), "1e-1002": "",
		strings.Repeat("1", 1000): strings.Repeat("1", 1000), strings.Repeat("1", 1001): "", "0." + strings.Repeat("1", 1001): "",
	} {
		d, _ := judge.ParseDecimal(text)
		got := ""
		if r, ok := d.Rat(); ok {
			got = r.RatString()
		}
		if got != want {
			t.Errorf("%.20s is %.20q, want %.20q", text, got, want)
		}
	}
}

func TestOnlyEqualValuesHaveTheSameForm(t *testing.T) {
	t.Parallel()
	var all []string
	for _, equal := range [][]string{
		{`1`, `1.0`, `10e-1`},
		{`"1"`},
		{`-1`},
		{`true`},
		{`"true"`},
		{`false`},
		{`null`},
		{`"null"`},
		{`[]`},
		{`{}`},
		{`"[]"`},
		{`"{}"`},
		{`[1,2]`, `[1.0,2e0]`},
		{`[2,1]`},
		{`[[1],2]`},
		{`[1,[2]]`},
		{`["1,2"]`},
		{`["1\",\"2"]`},
		{`["1","2"]`},
		{`{"a":1,"b":2}`, `{"b":2.0,"a":1}`},
		{`{"a":2,"b":1}`},
		{`{"a":{"b":1}}`},
		{`[{"a":1},2]`},
		{`[null,true,"n"]`},
		{`["null",true,"n"]`},
		{`[null,"true","n"]`},
	} {
		form := judge.Canonical(valueOf(t, equal[0]))
		for _, text := range equal {
			if got := judge.Canonical(valueOf(t, text)); got != form {
				t.Errorf("%s is %s, and %s is %s", equal[0], form, text, got)
			}
		}
		if slices.Contains(all, form) {
			t.Errorf("%s has the form of another value: %s", equal[0], form)
		}
		all = append(all, form)
	}
}

func TestASchemaSaysWhatItTakes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ schema, kinds, a, b, items string }{
		{"title: t", "null, a boolean, an integer, a string, an array or an object", "", "", ""},
		{"type: [string, number]", "an integer or a string", "", "", ""},
		{"type: object\nproperties: {a: {type: string}}\nadditionalProperties: {type: boolean}", "an object", "a string", "a boolean", ""},
		{"allOf: [{type: [string, array]}, {type: [array, 'null'], items: {type: string}}]", "an array", "", "", "a string"},
		{
			"anyOf: [{type: object, properties: {a: {type: array}}}, {type: 'null'}]\noneOf: [{type: object, additionalProperties: {type: 'null'}}, {type: string}]",
			"an object", "an array", "null", "",
		},
		{"anyOf: [{$ref: '#/x'}]\nx: {type: array, items: {type: integer}}", "an array", "", "", "an integer"},
		{"allOf: [{additionalProperties: {type: string}}]\nproperties: {b: {type: array}}", "null, a boolean, an integer, a string, an array or an object", "a string", "an array", ""},
		{"allOf: [{$ref: '#'}]\ntype: string", "a string", "", "", ""},
	} {
		_, s := schemaOf(t, "3.1.0", tt.schema)
		of := func(s *judge.Schema) string {
			if s == nil {
				return ""
			}
			return s.Kinds().String()
		}
		got := []string{of(s), of(s.Property("a")), of(s.Property("b")), of(s.Items())}
		if want := []string{tt.kinds, tt.a, tt.b, tt.items}; !slices.Equal(got, want) {
			t.Errorf("%s:\n got %q\nwant %q", tt.schema, got, want)
		}
	}
}

func TestAFaultHasThePlaceOfItsKeyword(t *testing.T) {
	t.Parallel()
	_, schema := schemaOf(t, "3.1.0", `required: [a,
  z]
properties:
  a: {enum: [1, 2],
    minimum: 9}
  b: {const: 1}
  c: {anyOf: [{required: [x]}, {required: [x, y]},
      {required: [x], maxProperties: 0}]}
  d: {anyOf: [{type: string}, {type: array}]}
  e: {not: {}}
propertyNames:
  maxLength: 1
dependentRequired: {a: [b,
  y]}
additionalProperties:
  false`)
	var got []string
	for _, f := range judge.NewRun(judge.Request).Judge(schema, valueOf(t, `{"a": 3, "b": 2, "c": {"q": 1}, "d": 1, "e": 1, "ff": 1}`)) {
		got = append(got, fmt.Sprintf("%d:%d %s %s", f.Line, f.Column, f.Pointer, f.Text))
	}
	want := []string{
		"3:3 /z is missing",
		"5:13 /a is none of 1, 2",
		"6:14 /a is less than 9",
		"7:14 /b is not 1",
		"8:14 /c fits none of the 3 schemas of anyOf",
		"8:27 /c/x is missing",
		"10:14 /d fits none of the 2 schemas of anyOf",
		"11:12 /e fits a schema that it must not fit",
		"13:3 /ff has a name that has 2 characters and not at most 1",
		"15:3 /y is missing, which a needs",
		"17:3 /ff is a property that the contract does not have",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
