package client_test

import (
	"strings"
	"testing"
)

// blocks are the parts of a client that begin with a line like this, each up to the first line that ends there.
func blocks(client []byte, begins, ends string) string {
	var all strings.Builder
	inside := false
	for line := range strings.Lines(string(client)) {
		inside = inside || strings.HasPrefix(line, begins)
		if inside {
			all.WriteString(line)
		}
		inside = inside && (line[0] == ' ' || !strings.HasSuffix(line, ends+"\n"))
	}
	return strings.TrimSuffix(all.String(), "\n")
}

// TestASchemaBecomesTheTypeOfItsValues has a schema T, of the version, with the declarations that it makes: of what is
// answered, and of what is sent, if that is another.
func TestASchemaBecomesTheTypeOfItsValues(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ version, schema, want string }{
		{"3.1.0", `{"type": ["string", "null"]}`, `type T = string | null;`},
		{"3.1.0", `{"type": ["object", "array", "integer"], "items": {"type": "boolean"}}`, `type T = { [name: string]: unknown } | boolean[] | number;`},
		{"3.1.0", `{"const": "it's\n"}`, `type T = 'it\'s\u000a';`},
		{"3.1.0", `{"const": {"a": 1}, "type": "object"}`, `type T = { [name: string]: unknown };`},
		{"3.1.0", `{"enum": [1, true, null, "a", "a"]}`, `type T = 1 | true | null | 'a';`},
		{"3.1.0", `{"enum": [[1], 2], "type": "integer"}`, `type T = number;`},
		{"3.1.0", `{"prefixItems": [{"type": "string"}, {"type": "number"}], "items": false}`, `type T = (string | number)[];`},
		{"3.1.0", `{"prefixItems": [{"type": "string"}]}`, `type T = unknown[];`},
		{"3.1.0", `{"patternProperties": {"^x": {"type": "string"}}}`, `type T = { [name: string]: unknown };`},
		{"3.1.0", `{"additionalProperties": {"type": "string"}}`, `type T = { [name: string]: string };`},
		{"3.1.0", `{"additionalProperties": false}`, `type T = { [name: string]: never };`},
		{"3.1.0", `{"properties": {"a": {"type": "string"}}, "additionalProperties": false}`, "interface T {\n  a?: string;\n}"},
		{"3.1.0", `{"properties": {"a": false, "b": true}}`, "interface T {\n  a?: never;\n  b?: unknown;\n}"},
		{"3.1.0", `{"required": ["a", "b-c"], "properties": {"b-c": {"type": "string"}}}`, "interface T {\n  'b-c': string;\n  a: unknown;\n}"},
		{"3.1.0", `{"$ref": "#/components/schemas/Other", "required": ["x"], "type": "object"}`, `type T = Other & { x: unknown };`},
		{"3.0.3", `{"$ref": "#/components/schemas/Other", "required": ["x"], "type": "object"}`, `type T = Other;`},
		{"3.0.3", `{"type": "string", "nullable": true}`, `type T = string | null;`},
		{"3.0.3", `{"enum": ["a", null], "nullable": true}`, `type T = 'a' | null;`},
		{"3.0.3", `{"allOf": [{"$ref": "#/components/schemas/Other"}, {"required": ["x", "y"]}], "properties": {"y": {"type": "string"}}}`, `type T = { y?: string } & Other & { x: unknown; y: unknown };`},
		{"3.0.3", `{"oneOf": [{"required": ["y"]}, {"required": ["z"]}], "properties": {"y": {"type": "string"}, "z": {"type": "number"}}}`, `type T = { y?: string; z?: number } & ({ y: unknown } | { z: unknown });`},
		{"3.0.3", `{"anyOf": [{"type": "string"}, {"type": "array", "items": {"enum": ["a", "b"]}}]}`, `type T = string | ('a' | 'b')[];`},
		{"3.0.3", `{"oneOf": [{"type": "string"}, {}]}`, `type T = unknown;`},
		{"3.0.3", `{"type": "array", "items": {"allOf": [{"$ref": "#/components/schemas/Other"}, {"type": "object", "properties": {"a": {}}}]}}`, `type T = (Other & { a?: unknown })[];`},
		{"3.0.3", `{"type": "object", "properties": {"in": {"type": "string", "readOnly": true}, "out": {"type": "string", "writeOnly": true}}, "required": ["in", "out"]}`, "interface T {\n  readonly in: string;\n}\ninterface TInput {\n  out: string;\n}"},
		{"3.0.3", `{"allOf": [{"type": "object", "properties": {"in": {"type": "string", "readOnly": true}}}, {"required": ["in"]}]}`, "type T = { readonly in?: string } & { in: unknown };\ntype TInput = { [name: string]: unknown };"},
		{"3.0.3", `{"type": "object", "properties": {"deep": {"type": "object", "properties": {"a": {"type": "array", "items": {"$ref": "#/components/schemas/T"}}}}}}`, "interface T {\n  deep?: { a?: T[] };\n}"},
		{"3.0.3", `{"type": "object", "properties": {"a": {"type": "string", "description": "Said\n  so", "deprecated": true}}}`, "interface T {\n  /**\n   * Said so\n   * @deprecated\n   */\n  a?: string;\n}"},
		{"3.0.3", `{"type": "object", "additionalProperties": {"type": "object", "properties": {"a_rather_long_name_of_a_property": {"type": "string"}, "another_rather_long_name_of_one": {"type": "string"}}}}`, "type T = {\n  [name: string]: { a_rather_long_name_of_a_property?: string; another_rather_long_name_of_one?: string };\n};"},
		{"3.0.3", `{"type": "file"}`, `type T = unknown;`},
		{"3.0.3", `{}`, `type T = unknown;`},
		{"3.0.3", `{"type": "object"}`, `type T = { [name: string]: unknown };`},
	} {
		contract := contractOf(t, `{"openapi": "`+row.version+`", "components": {"schemas": {"T": `+row.schema+`, "Other": {"type": "object", "properties": {"x": {"type": "string"}}}}},
			"paths": {"/": {"post": {"requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/T"}}}}, "responses": {}}}}}`)
		text := clientOf(t, contract).Text
		got := strings.TrimPrefix(blocks(text, "export interface T", "}")+"\n"+blocks(text, "export type T", ";"), "\n")
		if got = strings.TrimSuffix(strings.ReplaceAll(got, "export ", ""), "\n"); got != row.want {
			t.Errorf("%s in %s is\n%s\nwant\n%s", row.schema, row.version, got, row.want)
		}
	}
}

// TestAnOperationIsSentAsItsContractSays has an operation at /a, with the type of its request, of its answer, and what it sends.
func TestAnOperationIsSentAsItsContractSays(t *testing.T) {
	t.Parallel()
	const text = `"schema": {"type": "array", "items": {"type": "string"}}`
	for _, row := range []struct{ head, operation, want string }{
		{"", `"get": {"parameters": [{"name": "a", "in": "query", "style": "spaceDelimited", ` + text + `}, {"name": "b", "in": "query", "style": "pipeDelimited", "explode": false, ` + text + `}]}`, `getA(request: { query?: { a?: string[]; b?: string[] } } = {}): Promise<Answer<number, unknown>> { call(get, '/a' + search(request.query, { a: ' ', b: '|' }), request, readAny);`},
		{"", `"get": {"parameters": [{"name": "a", "in": "query", "style": "pipeDelimited", "explode": true, ` + text + `}, {"name": "__proto__", "in": "query", "required": true, "explode": false, ` + text + `}]}`, `getA(request: { query: { a?: string[]; __proto__: string[] } }): Promise<Answer<number, unknown>> { call(get, '/a' + search(request.query, { ['__proto__']: ',' }), request, readAny);`},
		{"", `"get": {"parameters": [{"name": "Content-Type", "in": "header", "schema": {"type": "string"}}, {"name": "authorization", "in": "header", "schema": {"type": "string"}}, {"name": "x-b", "in": "header", "required": true, "schema": {"type": "integer"}}]}`, `getA(request: { headers: { 'x-b': number } }): Promise<Answer<number, unknown>> { call(get, '/a', request, readAny);`},
		{"", `"get": {"parameters": [{"name": "a", "in": "query", "schema": {"type": "string", "nullable": true}}, {"name": "b", "in": "query", "schema": {"type": "array", "items": {"type": "array", "items": {"type": "array"}}}}]}`, `getA(request: { query?: { a?: Scalar; b?: Scalar } } = {}): Promise<Answer<number, unknown>> { call(get, '/a' + search(request.query), request, readAny);`},
		{"", `"get": {"responses": {"200": {"content": {"text/plain": {}, "application/vnd.a+json; v=1": {"schema": {"type": "string"}}}}, "206": {"content": {"image/png": {}}}}}`, `getA(request: CallOptions = {}): Promise<Answer<200, string> | Answer<206, Blob>> { call(get, '/a', request, readAny, { accept: 'application/vnd.a+json; v=1' });`},
		{"", `"get": {"responses": {"200": {"content": {"text/html": {}}}, "404": {"content": {"application/json": {}}}}}`, `getA(request: CallOptions = {}): Promise<Answer<200, string>> { call(get, '/a', request, readText);`},
		{"", `"get": {"responses": {"default": {"content": {"application/*": {"schema": {"type": "string"}}}}}}`, `getA(request: CallOptions = {}): Promise<Answer<number, string>> { call(get, '/a', request, readAny);`},
		{"", `"get": {"responses": {"2XX": {"content": {"application/octet-stream": {}}}, "205": {"content": {"text/plain": {}}}}}`, `getA(request: CallOptions = {}): Promise<Answer<number, Blob> | Answer<205, undefined>> { call(get, '/a', request, readBlob);`},
		{"", `"head": {"responses": {"200": {"content": {"application/json": {"schema": {"type": "string"}}}}}}`, `headA(request: CallOptions = {}): Promise<Answer<200, undefined>> { call(head, '/a', request, readNothing);`},
		{"", `"post": {"requestBody": {"required": true, "content": {"application/vnd.a+json": {"schema": {"type": "string"}}}}, "responses": {"204": {}}}`, `postA(request: { body: string }): Promise<Answer<204, undefined>> { call(post, '/a', request, readNothing, { 'content-type': 'application/vnd.a+json' });`},
		{"", `"post": {"requestBody": {"content": {"*/*": {}}}, "responses": {"204": {}}}`, `postA(request: { body?: unknown } = {}): Promise<Answer<204, undefined>> { call(post, '/a', request, readNothing);`},
		{"", `"post": {"requestBody": {"content": {}}, "responses": {"204": {}}}`, `postA(request: { body?: unknown } = {}): Promise<Answer<204, undefined>> { call(post, '/a', request, readNothing);`},
		{"", `"post": {"requestBody": {"content": {"text/plain": {}, "image/png": {}}}, "responses": {"204": {}}}`, "POST /a, because its body is text/plain, image/png, and aws-amplify sends only JSON and forms\n"},
		{"", `"get": {"requestBody": {"content": {"application/json": {}}}, "responses": {"204": {}}}`, `getA(request: CallOptions = {}): Promise<Answer<204, undefined>> { call(get, '/a', request, readNothing);`},
		{"", `"x-amazon-apigateway-any-method": {"operationId": "any", "responses": {"204": {}}}, "get": {"responses": {"204": {}}}, "post": {"responses": {"204": {}}}, "put": {"responses": {"204": {}}}, "patch": {"responses": {"204": {}}}, "head": {"responses": {"204": {}}}`, "deleteAny(request: { body?: unknown } = {}): Promise<Answer<204, undefined>> { call(del, '/a', request, readNothing);\ngetA(request: CallOptions = {}): Promise<Answer<204, undefined>> { call(get, '/a', request, readNothing);\npostA(request: CallOptions = {}): Promise<Answer<204, undefined>> { call(post, '/a', request, readNothing);\nputA(request: CallOptions = {}): Promise<Answer<204, undefined>> { call(put, '/a', request, readNothing);\npatchA(request: CallOptions = {}): Promise<Answer<204, undefined>> { call(patch, '/a', request, readNothing);\nheadA(request: CallOptions = {}): Promise<Answer<204, undefined>> { call(head, '/a', request, readNothing);"},
		{"2", `"get": {"parameters": [{"name": "a", "in": "query", "type": "array", "items": {"type": "string"}}, {"name": "b", "in": "query", "type": "array", "items": {"type": "string"}, "collectionFormat": "ssv"}, {"name": "c", "in": "query", "type": "array", "items": {"type": "string"}, "collectionFormat": "tsv"}, {"name": "d", "in": "query", "type": "array", "items": {"type": "string"}, "collectionFormat": "multi"}, {"name": "e", "in": "query", "type": "string", "collectionFormat": "csv"}]}`, `getA(request: { query?: { a?: string[]; b?: string[]; c?: string[]; d?: string[]; e?: string } } = {}): Promise<Answer<number, unknown>> { call(get, '/a' + search(request.query, { a: ',', b: ' ', c: '\u0009' }), request, readAny);`},
		{"2", `"post": {"parameters": [{"name": "a", "in": "formData", "type": "string"}], "responses": {"204": {}}}`, "POST /a, because its body is application/x-www-form-urlencoded, and aws-amplify sends only JSON and forms\n"},
		{"2", `"post": {"consumes": ["multipart/form-data"], "parameters": [{"name": "a", "in": "formData", "type": "string"}], "responses": {"204": {}}}`, `postA(request: { body: FormData }): Promise<Answer<204, undefined>> { call(post, '/a', request, readNothing);`},
	} {
		head := `"openapi": "3.0.3"`
		if row.head != "" {
			head = `"swagger": "2.0"`
		}
		client := clientOf(t, contractOf(t, `{`+head+`, "paths": {"/a": {`+row.operation+`}}}`))
		got := strings.Join(append(client.LeftOut, blocks(client.Text, "export async function", "}")), "\n")
		if got = strings.NewReplacer("export async function ", "", " & CallOptions", "", "\n}", "", "\n  return ", " ").Replace(got); got != row.want {
			t.Errorf("%s is\n%s\nwant\n%s", row.operation, got, row.want)
		}
	}
}

// TestAPathIsWrittenWithItsVariablesEncoded has odd names of paths, and what is sent for them.
func TestAPathIsWrittenWithItsVariablesEncoded(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ item, want string }{
		{`"/a/{x-y}/{x-y}": {"get": {"operationId": "a"}}`, `a(request: { path: { 'x-y': string } }) { call(get, '/a/' + segment(request.path['x-y']) + '/' + segment(request.path['x-y'])`},
		{`"/a#b": {"get": {"operationId": "a"}}`, `a(request: CallOptions = {}) { call(get, '/a'`},
		{`"a/{b": {"get": {"operationId": "a"}}`, `a(request: CallOptions = {}) { call(get, '/' + 'a/' + '{b'`},
		{`"/": {"get": {"operationId": "a"}}`, `a(request: CallOptions = {}) { call(get, '/'`},
		{`"/{x}": {"parameters": [{"name": "x", "in": "path", "required": true, "schema": {"type": "integer"}}], "get": {"operationId": "a"}}`, `a(request: { path: { x: number } }) { call(get, '/' + segment(request.path.x)`},
		{`"/{x}": {"get": {"operationId": "a", "parameters": [{"name": "x", "in": "path", "required": true, "schema": {"type": "array", "items": {"type": "number"}}}]}}`, `a(request: { path: { x: number[] } }) { call(get, '/' + segment(request.path.x)`},
		{`"/a?v=1": {"get": {"operationId": "a", "parameters": [{"name": "q", "in": "query", "schema": {"type": "boolean"}}]}}`, `a(request: { query?: { q?: boolean } } = {}) { call(get, '/a?v=1' + search(request.query).replace('?', '&')`},
		{`"/a/{proxy}": {"x-gatewright-path": "/a", "get": {"operationId": "a"}}`, `a(request: { path: { proxy: string } }) { call(get, '/a/' + below(request.path.proxy)`},
		{`"/a/{proxy}": {"get": {"operationId": "a"}}`, `a(request: { path: { proxy: string } }) { call(get, '/a/' + segment(request.path.proxy)`},
		{`"/it's/{p+}": {"get": {}}`, `getItSByP(request: { path: { p: string } }) { call(get, '/it\'s/' + below(request.path.p)`},
		{`"/a": {"get": {"operationId": "class"}, "put": {"operationId": "1 x-y"}, "delete": {"operationId": "a_b"}}`, "class_(request: CallOptions = {}) { call(get, '/a'\n_1XY(request: CallOptions = {}) { call(put, '/a'\na_b(request: CallOptions = {}) { call(del, '/a'"},
		{`"/a": {"get": {"operationId": "one", "summary": " S\n two ", "deprecated": true}}`, `one(request: CallOptions = {}) { call(get, '/a'`},
	} {
		client := clientOf(t, contractOf(t, `{"openapi": "3.0.3", "paths": {`+row.item+`}}`))
		got := strings.Join(append(client.LeftOut, blocks(client.Text, "export async function", "}")), "\n")
		got = strings.NewReplacer("export async function ", "", " & CallOptions", "", "\n}", "", "\n  return ", " ", ": Promise<Answer<number, unknown>>", "", ", request, readAny);", "").Replace(got)
		if got != row.want {
			t.Errorf("%s is\n%s\nwant\n%s", row.item, got, row.want)
		}
	}
}
