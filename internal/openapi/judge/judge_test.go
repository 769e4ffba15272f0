package judge_test

import (
	"fmt"
	"strings"
	"testing"

	"gatewright/internal/cfn"
	"gatewright/internal/openapi"
	"gatewright/internal/openapi/judge"
)

// schemaOf makes a schema ready that is the document itself, so that references such as
// #/$defs/a lead into it.
func schemaOf(t testing.TB, version, schema string) (*judge.Rules, *judge.Schema) {
	t.Helper()
	key := "openapi: " + version
	if version == "2.0" {
		key = "swagger: '2.0'"
	}
	d, err := openapi.Read("api.yaml", []byte(key+"\n"+schema+"\n"))
	if err != nil {
		t.Fatalf("%s\n%v", schema, err)
	}
	rules := judge.New(d)
	return rules, rules.Schema(d.Root)
}

func valueOf(t testing.TB, text string) *cfn.Node {
	t.Helper()
	v, err := cfn.ParseJSON("value", []byte(text))
	if err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	return v
}

// said lists faults as `POINTER TEXT`, one a line.
func said(faults []judge.Fault) string {
	var lines []string
	for _, f := range faults {
		lines = append(lines, strings.TrimSpace(f.Pointer+" "+f.Text))
	}
	return strings.Join(lines, "\n")
}

// cases has for each keyword values that hold and one that does not, with what is said of it.
// Schemas are of OpenAPI 3.1, if no other version is given.
var cases = []struct {
	version, schema string
	holds           []string
	breaks, said    string
}{
	{"", `type: string`, []string{`"a"`}, `1`, "is an integer and not a string"},
	{"", `type: integer`, []string{`1`, `1.0`, `1e2`, `-0`}, `1.5`, "is a number and not an integer"},
	{"", `type: number`, []string{`1`, `1.5`}, `"1"`, "is a string and not a number"},
	{"", `type: boolean`, []string{`true`}, `null`, "is null and not a boolean"},
	{"", `type: array`, []string{`[]`}, `{}`, "is an object and not an array"},
	{"", `type: [string, 'null']`, []string{`"a"`, `null`}, `[]`, "is an array and not null or a string"},
	{"", `type: [string, null]`, []string{`"a"`, `null`}, `1`, "is an integer and not null or a string"},
	{"", `type: null`, []string{`null`}, `1`, "is an integer and not null"},
	{"", `type: [integer, number]`, []string{`1`}, `true`, "is a boolean and not a number"},
	{"", "type: string\nnullable: true", []string{`"a"`}, `null`, "is null and not a string"},
	{"3.0.3", "type: string\nnullable: true", []string{`null`, `"a"`}, `1`, "is an integer and not null or a string"},
	{"2.0", "type: string\nx-nullable: true", []string{`null`}, `1`, "is an integer and not null or a string"},
	{"2.0", `type: file`, []string{`1`, `"a"`}, "", ""},
	{"", `enum: [a, 1, [2]]`, []string{`"a"`, `1.0`, `[2]`}, `"b"`, `is none of "a", 1, [2]`},
	{"", `enum: [a]`, []string{`"a"`}, `["a"]`, `is not "a"`},
	{"", `const: {a: 1, b: 2}`, []string{`{"b": 2.0, "a": 1}`}, `{"a": 1}`, `is not {"a":1,"b":2}`},
	{"", `const: false`, []string{`false`}, `0`, `is not false`},
	{"", `format: date`, []string{`"2020-02-29"`, `1`}, `"2021-02-29"`, "is not a date such as 2020-01-31"},
	{"", `format: date-time`, []string{`"2020-01-01T00:00:00.5+01:00"`, `"1998-12-31T23:59:60Z"`}, `"2020-01-01 00:00:00Z"`, "is not a time such as 2020-01-31T12:00:00Z"},
	{"", `format: uuid`, []string{`"2eb8aa08-aa98-11ea-b4aa-73b441d16380"`}, `"2eb8aa08aa9811eab4aa73b441d16380"`, "is not a UUID"},
	{"", `format: email`, []string{`"a@b.example"`}, `"A <a@b.example>"`, "is not an email address"},
	{"", `format: ipv4`, []string{`"127.0.0.1"`}, `"127.0.0.01"`, "is not an IPv4 address"},
	{"", `format: ipv6`, []string{`"::1"`}, `"::1%eth0"`, "is not an IPv6 address"},
	{"", `format: int32`, []string{`2147483647`, `-2147483648`}, `2147483648`, "is too large for int32"},
	{"", `format: int64`, []string{`9223372036854775807`}, `-9223372036854775809`, "is too large for int64"},
	{
		"", `format: date-time`,
		[]string{`"2020-02-29t23:59:59z"`, `"1998-12-31T15:59:60-08:00"`, `"2020-01-01T00:00:00+23:59"`, `"2020-01-01T00:00:00-19:00"`, `1`},
		`"1998-12-31T23:58:60Z"`, "is not a time such as 2020-01-31T12:00:00Z",
	},
	{"", `format: date-time`, nil, `"1998-12-31T22:59:60Z"`, "is not a time such as 2020-01-31T12:00:00Z"},
	{"", `format: date-time`, nil, `"2021-02-29T00:00:00Z"`, "is not a time such as 2020-01-31T12:00:00Z"},
	{"", `format: date-time`, nil, `"2020-01-01T00:00:00+24:00"`, "is not a time such as 2020-01-31T12:00:00Z"},
	{"", `format: ipv4`, nil, `"::1"`, "is not an IPv4 address"},
	{"", `format: ipv4`, nil, `""`, "is not an IPv4 address"},
	{"", `format: ipv6`, nil, `"127.0.0.1"`, "is not an IPv6 address"},
	{"", `format: ipv6`, nil, `""`, "is not an IPv6 address"},
	{"", `format: uuid`, []string{`"2EB8AA08-AA98-11EA-B4AA-73B441D16380"`}, `"x2eb8aa08-aa98-11ea-b4aa-73b441d16380"`, "is not a UUID"},
	{"", `format: email`, []string{`"\"a b\"@b.example"`}, `"a"`, "is not an email address"},
	{"", `format: email`, nil, `"<a@b.example>"`, "is not an email address"},
	{"", `format: email`, []string{`"` + strings.Repeat("a", 990) + `@b.example"`}, `"` + strings.Repeat("a", 991) + `@b.example"`, "is not an email address"},
	{"", `format: int32`, []string{`"x"`, `2147483647.0`, `1.5`}, `-2147483649`, "is too large for int32"},
	{"", `format: int64`, []string{`-9223372036854775808`}, `9223372036854775808`, "is too large for int64"},
	{"", `format: unknown`, []string{`"x"`}, "", ""},

	{"", `minimum: 1`, []string{`1`, `1.0`, `1e999999999`, `"a"`}, `0.9999999999999999999`, "is less than 1"},
	{"", `maximum: 1`, []string{`1`, `-1e999999999`}, `1.0000000000000000001`, "is more than 1"},
	{"", `exclusiveMinimum: 1`, []string{`1.1`}, `1.0`, "is not more than 1"},
	{"", `exclusiveMaximum: 1`, []string{`0`}, `1`, "is not less than 1"},
	{"3.0.0", "minimum: 1\nexclusiveMinimum: true", []string{`2`}, `1`, "is not more than 1"},
	{"2.0", "maximum: 1\nexclusiveMaximum: true", []string{`0`}, `1`, "is not less than 1"},
	{"", `multipleOf: 0.01`, []string{`19.99`, `0`, `1e100`}, `0.015`, "is not a multiple of 0.01"},
	{"", `multipleOf: 3`, []string{`9`}, `1e999999999`, "has too many places to say whether it is a multiple of 3"},
	{"", `minLength: 2`, []string{`"äö"`, `1`}, `"😀"`, "has 1 character and not at least 2"},
	{"", `maxLength: 2.0`, []string{`"😀😀"`}, `"abc"`, "has 3 characters and not at most 2.0"},
	{"", `maxLength: 1e20`, []string{`"abc"`}, "", ""},
	{"", `minLength: 1e20`, nil, `"abc"`, "has 3 characters and not at least 1e20"},
	{"", `minLength: 1e-2000`, []string{`""`}, "", ""},
	{"", `minLength: -1`, []string{`""`}, "", ""},
	{"", `maxLength: 1e2000`, []string{`"a"`}, "", ""},
	{"", `maxLength: x`, []string{`"a"`}, "", ""},
	{"", `maxLength: 0`, []string{`""`}, `"a"`, "has 1 character and not at most 0"},
	{"", `multipleOf: 0`, []string{`1`, `0.5`}, "", ""},
	{"", `multipleOf: -2`, []string{`1`}, "", ""},
	{"", `multipleOf: 0.5`, []string{`"x"`, `-1.5`, `0`}, `1.25`, "is not a multiple of 0.5"},
	{"3.0.0", "minimum: 1\nexclusiveMinimum: false", []string{`1`}, `0`, "is less than 1"},
	{"3.0.0", "maximum: 1\nexclusiveMaximum: false", []string{`1`}, `2`, "is more than 1"},
	{"", "const: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", []string{`"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"`}, `1`, `is not "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…"`},
	{"", "enum: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]", []string{`10`}, `11`, "is none of 0, 1, 2, 3, 4, 5 and 5 more"},
	{"", `pattern: 1`, []string{`"a"`}, "", ""},
	{"", `pattern: '^a{1000}$'`, []string{`"` + strings.Repeat("a", 1000) + `"`}, `"` + strings.Repeat("a", 1001) + `"`, "does not match the pattern ^a{1000}$"},
	{"", `pattern: '^a{0,1001}$'`, []string{`""`, `"` + strings.Repeat("a", 1002) + `"`}, `"b"`, `does not match the pattern "^a{0,1001}$"`},
	{"", `pattern: '^\d\\u0061\u0062$'`, []string{`"1\\u0061b"`}, `"1ab"`, `does not match the pattern ^\d\\u0061\u0062$`},
	{"", `pattern: ^a+$`, []string{`"aa"`, `1`}, `"ab"`, "does not match the pattern ^a+$"},
	{"", `pattern: '^\u00e4\\u'`, []string{`"ä\\u"`}, `"a"`, `does not match the pattern ^\u00e4\\u`},
	{"", `pattern: '^[a-z]{2,2048}$'`, []string{`"aa"`}, `"a"`, `does not match the pattern "^[a-z]{2,2048}$"`},
	{"", `pattern: '^a{5000}$'`, []string{}, `"a"`, "does not match the pattern ^a{5000}$"},
	{"", `pattern: (?=a)`, []string{`"b"`}, "", ""},

	{"", `items: {type: string}`, []string{`[]`, `["a"]`, `{}`}, `["a", 1]`, "/1 is an integer and not a string"},
	{"", "prefixItems: [{type: string}]\nitems: false", []string{`["a"]`, `[]`}, `["a", 1]`, "/1 is not allowed"},
	{"", `items: [{type: string}]`, []string{`["a", 1]`, `[]`}, `[1]`, "/0 is an integer and not a string"},
	{"", `prefixItems: [{type: string}, {type: integer}]`, []string{`["a"]`, `["a", 1, 2]`}, `["a", "b", "c"]`, "/1 is a string and not an integer"},
	{"", "contains: {type: string}\nminContains: 2", []string{`["a", 1, "b"]`, `{}`}, `["a", 1]`, "has 1 item as in contains and not at least 2"},
	{"", "contains: {type: string}\nmaxContains: 0\nminContains: 0", []string{`[1]`}, `["a", 1]`, "has 1 item as in contains and not at most 0"},
	{"", `uniqueItems: false`, []string{`[1, 1]`}, "", ""},
	{"", `minItems: 1`, []string{`[1]`, `""`}, `[]`, "has 0 items and not at least 1"},
	{"", `maxItems: 1`, []string{`[1]`}, `[1, 2]`, "has 2 items and not at most 1"},
	{"", `uniqueItems: true`, []string{`[1, "1", true, [1]]`, `[{"a": 1}, {"a": 2}]`}, `[{"a": 1, "b": 2}, 3, {"b": 2.0, "a": 1}]`, "has the same item twice, as number 1 and 3"},
	{"", `contains: {type: string}`, []string{`[1, "a"]`}, `[1]`, "has 0 items as in contains and not at least 1"},
	{"", "contains: {type: string}\nminContains: 0\nmaxContains: 1", []string{`[]`, `["a"]`}, `["a", "b"]`, "has 2 items as in contains and not at most 1"},

	{"", `required: [a, b/c]`, []string{`{"a": null, "b/c": 1}`, `1`}, `{}`, "/a is missing\n/b~1c is missing"},
	{"", `properties: {a: {type: string}, b: false}`, []string{`{"a": "b", "c": 1}`}, `{"a": 1, "b": 2}`, "/a is an integer and not a string\n/b is not allowed"},
	{"", `patternProperties: {^x-: {type: string}}`, []string{`{"x-a": "b", "a": 1}`}, `{"x-a": 1}`, "/x-a is an integer and not a string"},
	{"", "properties: {a: {}}\npatternProperties: {^x-: {}}\nadditionalProperties: false", []string{`{"a": 1, "x-b": 2}`}, `{"b": 1}`, "/b is a property that the contract does not have"},
	{"", `additionalProperties: {type: string}`, []string{`{"a": "b"}`}, `{"a": 1}`, "/a is an integer and not a string"},
	{"", `additionalProperties: true`, []string{`{"a": "b"}`}, "", ""},
	{"", "patternProperties: {'(?=a)': {}}\nadditionalProperties: false", []string{`{"a": 1}`}, "", ""},
	{"", "additionalProperties: {type: string}\nproperties: {a: {}}\npatternProperties: {^x: {}, ^y: {}}", []string{`{"a": 1, "y": 1, "c": "c"}`}, `{"b": 1, "c": 2}`, "/b is an integer and not a string\n/c is an integer and not a string"},
	{"", `patternProperties: {^x: {type: string}, y$: {minLength: 2}}`, []string{`{"xy": "ab"}`}, `{"xy": "a", "x": 1}`, "/xy has 1 character and not at least 2\n/x is an integer and not a string"},
	{"", `propertyNames: {maxLength: 1}`, []string{`{"a": 1}`}, `{"ab": 1}`, "/ab has a name that has 2 characters and not at most 1"},
	{"", `minProperties: 1`, []string{`{"a": 1}`, `[]`}, `{}`, "has 0 members and not at least 1"},
	{"", `maxProperties: 0`, []string{`{}`}, `{"a": 1}`, "has 1 member and not at most 0"},
	{"", `dependentRequired: {a: [b]}`, []string{`{"b": 1}`, `{"a": 1, "b": 1}`}, `{"a": 1}`, "/b is missing, which a needs"},
	{"", `dependentRequired: {a: [b, c], d: [e]}`, []string{`[]`}, `{"a": 1, "c": 1, "d": 1}`, "/b is missing, which a needs\n/e is missing, which d needs"},
	{"", `dependentSchemas: {a: {required: [b]}}`, []string{`{}`, `{"c": 1}`, `[]`}, `{"a": 1}`, "/b is missing"},

	{"", `allOf: [{minimum: 1}, {maximum: 2}]`, []string{`1`, `2`}, `3`, "is more than 2"},
	{"", `anyOf: [{type: string}, {type: integer}]`, []string{`1`, `"a"`}, `null`, "fits none of the 2 schemas of anyOf"},
	{"", `anyOf: [{type: 'null'}, {type: object, required: [a]}]`, []string{`null`}, `{}`, "/a is missing"},
	{"", `oneOf: [{minimum: 5}, {maximum: 5}]`, []string{`4`, `6`}, `5`, "fits the schemas 1 and 2 of oneOf and may fit only one"},
	{
		"", `oneOf: [{properties: {kind: {const: a}}, required: [x, y, z]}, {properties: {kind: {const: b}}, required: [x, y]}]`,
		[]string{`{"kind": "b", "x": 1, "y": 2}`},
		`{"kind": "a", "x": 1}`, "/y is missing\n/z is missing",
	},
	{"", `anyOf: []`, []string{`1`}, "", ""},
	{"", `anyOf: [{type: string}]`, nil, `1`, "fits none of the 1 schemas of anyOf"},
	{"", `oneOf: [{required: [a, b]}, {required: [c]}, {type: string}]`, []string{`{"c": 1}`}, `{}`, "fits none of the 3 schemas of oneOf\n/c is missing"},
	{"", `oneOf: [{required: [a]}, {type: string}, {required: [b, c]}]`, []string{`{"a": 1}`}, `{}`, "fits none of the 3 schemas of oneOf\n/a is missing"},
	{"", `oneOf: [{minimum: 5}, {type: string}, {minimum: 7}]`, []string{`6`}, `8`, "fits the schemas 1 and 3 of oneOf and may fit only one"},
	{"", `anyOf: [{properties: {a: {type: string}, k: {enum: [x]}}}, {properties: {k: {enum: [y]}, l: {minimum: 1}, m: {minimum: 1}}}]`, nil, `{"k": "y", "a": 1, "l": 0, "m": 0}`, "/l is less than 1\n/m is less than 1"},
	{"", `anyOf: [{properties: {a: {type: string}}}, {properties: {b: {type: string}, c: {type: string}}}]`, nil, `{"a": 1, "b": 1, "c": 1}`, "fits none of the 2 schemas of anyOf\n/a is an integer and not a string"},
	{"", `not: {type: string}`, []string{`1`}, `"a"`, "fits a schema that it must not fit"},
	{"", "if: {type: string}\nthen: {minLength: 1}\nelse: {minimum: 1}", []string{`"a"`, `1`}, `""`, "has 0 characters and not at least 1"},
	{"", "if: {type: string}\nthen: {minLength: 1}", []string{`1`, `"a"`}, `""`, "has 0 characters and not at least 1"},
	{"", "if: {type: string}\nelse: {minimum: 1}", []string{`""`}, `0`, "is less than 1"},
	{"", "$ref: '#/$defs/a'\n$defs: {a: {type: string}}\nminLength: 1", []string{`"a"`}, `""`, "has 0 characters and not at least 1"},
	{"3.0.0", "$ref: '#/x/a'\nx: {a: {type: string}}\nminLength: 1", []string{`""`}, `1`, "is an integer and not a string"},
	{"", "type: object\nproperties: {next: {$ref: '#'}}", []string{`{"next": {"next": {}}}`}, `{"next": {"next": 1}}`, "/next/next is an integer and not an object"},
	{"", "allOf: [{$ref: '#'}]\nanyOf: [{$ref: '#/allOf/0'}, {type: string}]\nminimum: 2", []string{`2`}, `1`, "is less than 2"},
	{"", "$ref: other.yaml#/a", []string{`1`}, "", ""},
}

func TestEachKeywordHoldsAndBreaks(t *testing.T) {
	t.Parallel()
	for _, tt := range cases {
		if tt.version == "" {
			tt.version = "3.1.0"
		}
		t.Run(tt.version+" "+tt.schema, func(t *testing.T) {
			_, schema := schemaOf(t, tt.version, tt.schema)
			for _, text := range tt.holds {
				if faults := judge.NewRun(judge.Request).Judge(schema, valueOf(t, text)); faults != nil {
					t.Errorf("%s: %s", text, said(faults))
				}
			}
			if tt.breaks == "" {
				return
			}
			faults := judge.NewRun(judge.Request).Judge(schema, valueOf(t, tt.breaks))
			if got := said(faults); got != tt.said {
				t.Errorf("%s:\n%s\nwant\n%s", tt.breaks, got, tt.said)
			}
			for _, f := range faults {
				if f.Line < 2 || f.Column < 1 {
					t.Errorf("%+v has no place", f)
				}
			}
		})
	}
}

func TestWhatIsNotJudgedIsListed(t *testing.T) {
	t.Parallel()
	for schema, want := range map[string]string{
		`pattern: (?=a)`:                       `/pattern the pattern (?=a) is none that RE2 has, or too large`,
		`pattern: '((a{100}){100}){100}'`:      `/pattern the pattern ((a{100}){100}){100} is none that RE2 has, or too large`,
		`pattern: '^.{1,2048}$'`:               `/pattern the pattern "^.{1,2048}$" repeats more than 1000 times; that limit of it is left out`,
		`patternProperties: {'(?!a)': {}}`:     `/patternProperties/(?!a) the pattern (?!a) is none that RE2 has, or too large`,
		`$ref: other.yaml`:                     `/$ref the reference other.yaml is in another document, which is not read`,
		`$ref: '#/nothing'`:                    `/$ref the reference #/nothing does not exist`,
		`unevaluatedProperties: false`:         `/unevaluatedProperties the keyword is not judged`,
		`multipleOf: 1e-2000`:                  `/multipleOf the number has too many places to divide by it`,
		`properties: {a: {pattern: '^[a-z]'}}`: "",
	} {
		rules, _ := schemaOf(t, "3.1.0", schema)
		if got := said(rules.Unjudged()); got != want {
			t.Errorf("%s: %s, want %s", schema, got, want)
		}
	}
}

func TestWhatIsReadOnlyIsNotRequiredOnTheWayIn(t *testing.T) {
	t.Parallel()
	const inParts = `
allOf: [{$ref: '#/x'}, {required: [id, key, name]}]
x: {properties: {id: {$ref: '#/y'}, key: {writeOnly: true}, name: {}}}
y: {allOf: [{readOnly: true}]}`
	const plain = `
required: [id, key, name]
properties: {id: {readOnly: true}, key: {writeOnly: true}, name: {}}`
	for _, text := range []string{plain, inParts} {
		_, schema := schemaOf(t, "3.0.0", text)
		for way, want := range map[judge.Way]string{
			judge.Request: "/key is missing\n/name is missing",
			judge.Answer:  "/id is missing\n/name is missing",
		} {
			if got := said(judge.NewRun(way).Judge(schema, valueOf(t, `{}`))); got != want {
				t.Errorf("%s\n%d: %s, want %s", text, way, got, want)
			}
		}
	}
}

func TestAHostileSchemaEndsAndSaysThatItWasNotJudgedWhole(t *testing.T) {
	t.Parallel()
	var doubled strings.Builder
	doubled.WriteString("$ref: '#/x0'\n")
	for i := range 60 {
		fmt.Fprintf(&doubled, "x%d: {allOf: [{$ref: '#/x%d'}, {minimum: 0}, {$ref: '#/x%d'}]}\n", i, i+1, i+1)
	}
	doubled.WriteString("x60: {type: integer}\n")
	either := strings.ReplaceAll(doubled.String(), "allOf", "anyOf")
	either = strings.ReplaceAll(either, "{minimum: 0}, ", "")
	for name, tt := range map[string]struct{ schema, value string }{
		"all of two, sixty times": {doubled.String(), `1`},
		"any of two, sixty times": {either, `"a"`},
		"a long chain": {
			"items: {$ref: '#'}\nnot: {not: {items: {$ref: '#'}}}",
			strings.Repeat("[", 400) + strings.Repeat("]", 400),
		},
		"a large expression": {"items: {pattern: '^(a?){900}$'}", `["` + strings.Repeat("a", 100_000) + `"]`},
	} {
		_, schema := schemaOf(t, "3.1.0", tt.schema)
		run := judge.NewRun(judge.Request)
		faults := run.Judge(schema, valueOf(t, tt.value))
		if run.Whole() {
			t.Errorf("%s: was judged whole: %s", name, said(faults))
		}
	}
}

func TestAtMostTwentyFaultsAreListed(t *testing.T) {
	t.Parallel()
	_, schema := schemaOf(t, "3.1.0", "items: {type: string}")
	faults := judge.NewRun(judge.Request).Judge(schema, valueOf(t, "[1"+strings.Repeat(",1", 100)+"]"))
	if len(faults) != judge.Most {
		t.Errorf("%d", len(faults))
	}
}

func TestATextOfTheContractIsSafeForATerminal(t *testing.T) {
	t.Parallel()
	_, schema := schemaOf(t, "3.1.0", `enum: ["\e[31m", [ "\u202e" ]]`)
	got := said(judge.NewRun(judge.Request).Judge(schema, valueOf(t, `1`)))
	if strings.ContainsAny(got, "\x1b\u202e") || !strings.HasPrefix(got, "is none of ") {
		t.Errorf("%q", got)
	}
}
