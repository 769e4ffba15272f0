package example_test

import (
	"fmt"
	"strings"
	"testing"

	"gatewright/internal/openapi/example"
)

// TestValuesOfEachKeyword has for each keyword what is made of it: the simplest value that holds.
func TestValuesOfEachKeyword(t *testing.T) {
	t.Parallel()
	for schema, want := range map[string]string{
		`{}`:                              `made 200 application/json {}`,
		`true`:                            `made 200 application/json {}`,
		`{nullable: true, type: string}`:  `made 200 application/json "string"`,
		`{type: 'null'}`:                  `made 200 application/json null`,
		`{type: ['null', boolean]}`:       `made 200 application/json true`,
		`{type: [number, string]}`:        `made 200 application/json 0`,
		`{type: file}`:                    `made 200 application/json {}`,
		`{minLength: 2}`:                  `made 200 application/json "string"`,
		`{pattern: b}`:                    `made 200 application/json "b"`,
		`{format: date}`:                  `made 200 application/json "2020-01-01"`,
		`{minimum: 3}`:                    `made 200 application/json 3`,
		`{multipleOf: 0.5, minimum: 0.2}`: `made 200 application/json 0.5`,
		`{items: {type: boolean}}`:        `made 200 application/json [true]`,
		`{minItems: 1}`:                   `made 200 application/json [{}]`,
		`{required: [a]}`:                 `made 200 application/json {"a":{}}`,
		`{maxProperties: 1}`:              `made 200 application/json {}`,
		`{type: array, minItems: 3, items: {type: integer}, uniqueItems: true}`:                                        `made 200 application/json [0,1,2]`,
		`{type: array, minItems: 2, items: {type: boolean}, uniqueItems: true}`:                                        `made 200 application/json [true,false]`,
		`{type: array, maxItems: 0, items: {}}`:                                                                        `made 200 application/json []`,
		`{type: array}`:                                                                                                `made 200 application/json []`,
		`{type: array, minItems: 2}`:                                                                                   `made 200 application/json [{},{}]`,
		`{type: array, items: [{type: string}, {type: integer}]}`:                                                      `made 200 application/json ["string"]`,
		`{prefixItems: [{type: string}], items: {type: integer}, minItems: 3}`:                                         `made 200 application/json ["string",0,0]`,
		`{type: array, contains: {const: 5}, minContains: 2}`:                                                          `made 200 application/json [5,5]`,
		`{type: array, contains: {const: 5}, minContains: 0}`:                                                          `made 200 application/json []`,
		`{type: array, contains: {const: 5}, prefixItems: [{type: string}]}`:                                           `made 200 application/json ["string",5]`,
		`{type: array, items: false}`:                                                                                  `made 200 application/json []`,
		`{type: array, uniqueItems: true, minItems: 3, items: {type: string}}`:                                         `made 200 application/json ["string","string1","string2"]`,
		`{type: array, uniqueItems: true, minItems: 3, items: {type: string, maxLength: 1, pattern: '^[b-d]$'}}`:       `made 200 application/json ["b","c","d"]`,
		`{type: array, uniqueItems: true, minItems: 3, items: {enum: [3, 2, 1]}}`:                                      `made 200 application/json [3,2,1]`,
		`{allOf: [{minItems: 1}, {minItems: 2}, {maxItems: 3}], items: {type: integer}}`:                               `made 200 application/json [0,0]`,
		`{type: integer, minimum: 1.5}`:                                                                                `made 200 application/json 2`,
		`{type: integer, maximum: -3}`:                                                                                 `made 200 application/json -3`,
		`{type: number, exclusiveMinimum: 0}`:                                                                          `made 200 application/json 1`,
		`{type: number, exclusiveMaximum: 0}`:                                                                          `made 200 application/json -1`,
		`{type: integer, minimum: 5, maximum: 5}`:                                                                      `made 200 application/json 5`,
		`{type: number, exclusiveMinimum: 0, exclusiveMaximum: 1}`:                                                     `made 200 application/json 0.5`,
		`{type: integer, multipleOf: 7, minimum: 8}`:                                                                   `made 200 application/json 14`,
		`{type: integer, multipleOf: 1.5, minimum: 1}`:                                                                 `made 200 application/json 3`,
		`{allOf: [{minimum: 3}, {minimum: 4}, {exclusiveMinimum: 4}], type: integer}`:                                  `made 200 application/json 5`,
		`{allOf: [{maximum: -3}, {maximum: -4}, {exclusiveMaximum: -4}], type: integer}`:                               `made 200 application/json -5`,
		`{type: number, minimum: 0.1, maximum: 0.2, multipleOf: 0.15}`:                                                 `made 200 application/json 0.15`,
		`{allOf: [{multipleOf: 4}, {multipleOf: 6}], minimum: 1}`:                                                      `made 200 application/json 12`,
		`{type: number, exclusiveMinimum: 0, maximum: 1, multipleOf: 0.3333}`:                                          `made 200 application/json 0.3333`,
		`{type: string, minLength: 8, maxLength: 8}`:                                                                   `made 200 application/json "stringst"`,
		`{type: string, maxLength: 0}`:                                                                                 `made 200 application/json ""`,
		`{type: string, format: date, maxLength: 4}`:                                                                   `made 200 application/json "2020-01-01"`,
		`{type: string, format: odd}`:                                                                                  `made 200 application/json "string"`,
		`{type: string, pattern: '^x*y+z?[0-9]{2,}$'}`:                                                                 `made 200 application/json "xyz00"`,
		`{type: string, pattern: '^(one|two)$'}`:                                                                       `made 200 application/json "one"`,
		`{type: string, pattern: '^[^a-z0-9A-Z]$'}`:                                                                    `made 200 application/json " "`,
		`{type: string, pattern: '^.\d\w\s$'}`:                                                                         `made 200 application/json "a0a "`,
		`{type: string, pattern: '^a+$', minLength: 5}`:                                                                `made 200 application/json "aaaaaaaa"`,
		`{type: string, pattern: '^(ab)*$', minLength: 1}`:                                                             `made 200 application/json "ab"`,
		`{type: string, pattern: '(?=a)'}`:                                                                             `made 200 application/json "string"`,
		`{type: string, pattern: '^a{0}$'}`:                                                                            `made 200 application/json ""`,
		`{type: string, pattern: '^x{2,3}$'}`:                                                                          `made 200 application/json "xx"`,
		`{allOf: [{minLength: 2}, {minLength: 7}, {maxLength: 9}], type: string}`:                                      `made 200 application/json "strings"`,
		`{type: object, patternProperties: {'^x-[0-9]+$': {type: integer}}, minProperties: 2}`:                         `made 200 application/json {"x-0":0,"property1":{}}`,
		`{type: object, additionalProperties: false, minProperties: 1}`:                                                `made 200 application/json {}`,
		`{type: object, additionalProperties: {type: integer}, minProperties: 3}`:                                      `made 200 application/json {"property1":0,"property2":0,"property3":0}`,
		`{type: object, additionalProperties: true}`:                                                                   `made 200 application/json {}`,
		`{properties: {a: {type: string}}, dependentRequired: {a: [b]}}`:                                               `made 200 application/json {}`,
		`{properties: {a: false, b: {}}}`:                                                                              `made 200 application/json {"b":{}}`,
		`{required: [a], properties: {a: false}}`:                                                                      `made 200 application/json "string"`,
		`{properties: {k: {$ref: '#/x/secret'}, l: {writeOnly: true}, m: {writeOnly: false}}, required: [k]}`:          `made 200 application/json {"m":{}}`,
		`{properties: {a: {type: integer}}, patternProperties: {a: {minimum: 4}}, additionalProperties: {minimum: 9}}`: `made 200 application/json {"a":4}`,
		`{propertyNames: {enum: [q]}, minProperties: 1}`:                                                               `made 200 application/json {"q":{}}`,
		`{properties: {a: {}, b: {}, c: {}}, maxProperties: 2, required: [c]}`:                                         `made 200 application/json {"a":{},"c":{}}`,
		`{allOf: [{properties: {a: {minimum: 2}}}, {required: [a, z]}]}`:                                               `made 200 application/json {"a":2,"z":{}}`,
		`{properties: {a: {}, b: {}}, not: {required: [a]}}`:                                                           `made 200 application/json {"b":{}}`,
		`{const: 5}`:                          `5`,
		`{default: 5, type: string}`:          `made 200 application/json "string"`,
		`{enum: [1, a], type: string}`:        `"a"`,
		`{examples: [x, y]}`:                  `"x"`,
		`{example: x, examples: [y]}`:         `"x"`,
		`{$ref: '#/x/example'}`:               `"there"`,
		`{$ref: '#/x/example', example: own}`: `"own"`,
		`{$ref: '#/x/number', minimum: 3}`:    `made 200 application/json 3`,
		`{$ref: '#/none'}`:                    `made 200 application/json {}`,
		`{if: {properties: {k: {const: a}}, required: [k]}, then: {required: [l]}, else: {required: [m]}, not: {required: [k]}}`: `made 200 application/json {"m":{}}`,
		`{if: {type: string}, else: {minimum: 3}, type: integer}`:                                                                `made 200 application/json 3`,
		`{oneOf: [{type: string, minLength: 1}, {type: string, maxLength: 9}]}`:                                                  `made 200 application/json "string"`,
		`{oneOf: []}`:                       `made 200 application/json {}`,
		`{oneOf: [false, {type: integer}]}`: `made 200 application/json 0`,
		`{anyOf: [{type: boolean}, {type: string}], oneOf: [{type: integer}, {type: string}]}`: `made 200 application/json "string"`,
		`{allOf: [{$ref: '#/x/number'}, {$ref: '#/x/number'}]}`:                                `made 200 application/json 0`,
		`{type: integer, not: {const: 0}}`:                                                     `made 200 application/json 1`,
		`{type: boolean, not: {const: true}}`:                                                  `made 200 application/json false`,
		`{allOf: [{type: string}, {type: integer}]}`:                                           `GET /:the response 200 has no example:no value can be made from its schema; give the response an example,at line 2 of the contract`,
		`{$ref: '#/x/endless'}`:                                                                `made 200 application/json "string"`,
		`{$ref: '#/x/list'}`:                                                                   `made 200 application/json []`,
	} {
		d := read(t, "openapi: 3.1.0\npaths: {/: {get: {responses: {'200': {content: {application/json: {schema: "+schema+"}}}}}}}\n"+
			"x: {secret: {writeOnly: true}, example: {example: there}, number: {type: integer, maximum: 5}, endless: {required: [a], properties: {a: {$ref: '#/x/endless'}}}, list: {type: array, items: {$ref: '#/x/list'}}}")
		got := strings.TrimPrefix(compact(of(t, d)), "200 application/json ")
		if got != want {
			t.Errorf("%s: %s, want %s", schema, got, want)
		}
	}
}

func TestTextsOfEachFormat(t *testing.T) {
	t.Parallel()
	for format, want := range map[string]string{
		"date-time":     `["2020-01-01T00:00:00Z","2021-01-01T00:00:00Z","2022-01-01T00:00:00Z"]`,
		"date":          `["2020-01-01","2021-01-01","2022-01-01"]`,
		"time":          `["00:00:00Z","00:01:00Z","00:02:00Z"]`,
		"duration":      `["P1D","P2D","P3D"]`,
		"uuid":          `["123e4567-e89b-12d3-a456-426614174000","123e4567-e89b-12d3-a456-426614174001","123e4567-e89b-12d3-a456-426614174002"]`,
		"email":         `["user@example.com","user1@example.com","user2@example.com"]`,
		"idn-email":     `["user@example.com","user1@example.com","user2@example.com"]`,
		"hostname":      `["www.example.com","www1.example.com","www2.example.com"]`,
		"uri":           `["https://example.com/","https://example.com/1","https://example.com/2"]`,
		"url":           `["https://example.com/","https://example.com/1","https://example.com/2"]`,
		"uri-reference": `["/","/1","/2"]`,
		"ipv4":          `["192.0.2.1","192.0.2.2","192.0.2.3"]`,
		"ipv6":          `["2001:db8::1","2001:db8::2","2001:db8::3"]`,
		"byte":          `["c3RyaW5n","c3RyaW5n","c3RyaW5n"]`,
	} {
		d := read(t, "openapi: 3.1.0\npaths: {/: {get: {responses: {'200': {content: {application/json: {schema: {type: array, minItems: 3, uniqueItems: true, items: {type: string, format: "+format+"}}}}}}}}}")
		if got := strings.TrimPrefix(compact(of(t, d)), "made 200 application/json "); got != want {
			t.Errorf("%s: %s, want %s", format, got, want)
		}
	}
}

func TestWhichAnswerAndWhichBodyAreTheExample(t *testing.T) {
	t.Parallel()
	for answers, want := range map[string]string{
		`{'600': {}, '99': {}, abc: {}, 5xx: {}}`:                       `500`,
		`{'404': {}, '100': {}, '599': {}}`:                             `404`,
		`{'299': {}, '200': {}}`:                                        `200`,
		`{1XX: {}, default: {}}`:                                        `204`,
		`{'204': {}, 2XX: {content: {application/json: {example: 1}}}}`: `200 application/json 1`,
		`{'200': {content: {text/plain: {example: 1}, 'Application/JSON; charset=utf-8': {example: 2}}}}`: `200 Application/JSON; charset=utf-8 2`,
		`{'200': {headers: {X-A: {example: 1}}, content: {application/json: {example: 2}}}}`:              `200 application/json 2 [{X-A 1}]`,
		`{'200': {content: {"a/b ~": {example: a}}}}`:                                                     `200 a/b ~ a`,
		`{'200': {content: {"a/\x7f": {example: a}}}}`:                                                    `GET "/\x1b":the media type "a/\x7f" is none; write one such as application/json,at line 2 of the contract`,
		`{'200': {content: {'text/*': {schema: {type: string}}}}}`:                                        `made 200 application/json "string"`,
		`{'200': {content: {text/plain: {example: [1]}}}}`:                                                `GET "/\x1b":the response 200 has no example:its example is a list,and its media type is not JSON; give the response an example,at line 2 of the contract`,
		`{'200': {content: {text/plain: {example: 5}}}}`:                                                  `200 text/plain 5`,
		`{'200': {content: {text/plain: {schema: {type: integer, minimum: 4}}}}}`:                         `made 200 text/plain 4`,
		`{'200': {content: {text/plain: {schema: {type: object}}}}}`:                                      `GET "/\x1b":the response 200 has no example:its example is a map,and its media type is not JSON; give the response an example,at line 2 of the contract`,
		`{'200': {content: {application/json: {schema: {type: object}, example: '{bad'}}}}`:               `200 application/json "{bad"`,
		`{'200': {content: {application/json: {schema: {type: string}, example: '{"a": 1}'}}}}`:           `200 application/json "{\"a\":1}"`,
		`{'200': {content: {application/json: {example: '{"a": 1}'}}}}`:                                   `200 application/json "{\"a\":1}"`,
		`{'200': {content: {application/json: {schema: {type: integer}, example: '5'}}}}`:                 `200 application/json 5`,
		`{'200': {content: {application/json: {schema: {default: a, type: integer}}}}}`:                   `made 200 application/json 0`,
		`{'200': {content: {application/json: {schema: {enum: [a, 1], type: integer}}}}}`:                 `200 application/json 1`,
		`{'200': {content: {"image/\x1b": {schema: {}}}}}`:                                                `GET "/\x1b":the media type "image/\x1b" is none; write one such as application/json,at line 2 of the contract`,
		`{'200': {content: {application/json: {schema: {type: string, minLength: 65533}}}}}`:              `made 200 application/json "stringstrings, 65536 bytes`,
		`{'200': {content: {application/json: {schema: {type: string, minLength: 65534}}}}}`:              `GET "/\x1b":the response 200 has no example:what is made from its schema has more than 65536 bytes; give the response an example,at line 2 of the contract`,
	} {
		d := read(t, "openapi: 3.1.0\npaths: {\"/\\e\": {get: {responses: "+answers+"}}}")
		a, err := example.Of(d, d.Items[0].Operations[0])
		got := compact(inWords(a, err))
		if len(got) > 1000 {
			got = fmt.Sprintf("%.40s, %d bytes", got, len(a.Body))
		}
		if len(a.Headers) > 0 {
			got += fmt.Sprint(" ", a.Headers)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", answers, got, want)
		}
	}
}
