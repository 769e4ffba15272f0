package expression

import (
	"slices"
	"strings"
	"testing"

	"gatewright/sandbox/table/attribute"
)

const book = `{"title":{"S":"Go"},"pages":{"N":"300"},"cover":{"B":"YWJj"},"tags":{"SS":["x","y"]},"marks":{"NS":["1","2"]},"blobs":{"BS":["YQ=="]},
	"sold":{"BOOL":true},"nothing":{"NULL":true},"chain":{"L":[{"S":"one"},{"N":"2"},{"M":{"k":{"S":"deep"}}}]},"box":{"M":{"a.b":{"S":"dot"},"lucky":{"N":"7"}}}}`

const bookValues = `{":go":{"S":"Go"},":g":{"S":"G"},":o":{"S":"o"},":n":{"N":"3e2"},":less":{"N":"9"},":more":{"N":"1000"},":b":{"B":"YWI="},":tags":{"SS":["y","x"]},
	":x":{"S":"x"},":two":{"N":"2.0"},":blob":{"B":"YQ=="},":true":{"BOOL":true},":SS":{"S":"SS"},":one":{"S":"one"},":k":{"M":{"k":{"S":"deep"}}},":seven":{"N":"7"},":three":{"N":"3"}}`

func TestConditionsHoldAsInTheService(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"title = :go":                                  true,
		"pages = :n":                                   true,
		"pages = :go":                                  false,
		"pages <> :go":                                 true,
		"title <> :go":                                 false,
		"tags = :tags":                                 true,
		"sold = :true":                                 true,
		"pages > :less":                                true,
		"pages < :more":                                true,
		"title < :less":                                false,
		"title >= :g":                                  true,
		":g <= title":                                  true,
		"gone = :go":                                   false,
		"gone <> :go":                                  true,
		"gone < :go":                                   false,
		"gone = gone2":                                 false,
		"NOT gone < :go":                               true,
		"pages BETWEEN :less AND :more":                true,
		"pages between :less and :less":                false,
		"gone BETWEEN :less AND :more":                 false,
		"title IN (:x, :go)":                           true,
		"title IN (:x)":                                false,
		"gone IN (:x)":                                 false,
		"begins_with(title, :g)":                       true,
		"begins_with(cover, :b)":                       true,
		"begins_with(pages, :g)":                       false,
		"contains(title, :o)":                          true,
		"contains(cover, :b)":                          true,
		"contains(tags, :x)":                           true,
		"contains(marks, :two)":                        true,
		"contains(blobs, :blob)":                       true,
		"contains(blobs, :b)":                          false,
		"contains(tags, :two)":                         false,
		"contains(marks, :x)":                          false,
		"contains(cover, :o)":                          false,
		"contains(chain, :one)":                        true,
		"contains(chain, :k)":                          true,
		"contains(chain, :three)":                      false,
		"contains(pages, :three)":                      false,
		"contains(gone, :x)":                           false,
		"attribute_exists(title)":                      true,
		"attribute_exists(nothing)":                    true,
		"attribute_not_exists(gone)":                   true,
		"attribute_exists(chain[2].k)":                 true,
		"attribute_exists(chain[3])":                   false,
		"attribute_exists(box.gone)":                   false,
		"attribute_exists(title.gone)":                 false,
		"attribute_type(tags, :SS)":                    true,
		"attribute_type(title, :SS)":                   false,
		"attribute_type(gone, :SS)":                    false,
		"size(title) = :two":                           true,
		"size(chain) = :three":                         true,
		"size(box) = :two":                             true,
		"size(tags) = :two":                            true,
		"size(cover) = :three":                         true,
		"size(marks) = :two":                           true,
		"size(blobs) < :two":                           true,
		"size(blobs) < size(tags)":                     true,
		"size(sold) < :more":                           false,
		"size(nothing) < :more":                        false,
		"cover > :b":                                   true,
		"cover <= :b":                                  false,
		"tags = :x":                                    false,
		"title >= :go":                                 true,
		"title > :go":                                  false,
		"title <= :go":                                 true,
		"title BETWEEN :go AND :o":                     true,
		"title BETWEEN :g AND :go":                     true,
		"begins_with(title, :b)":                       false,
		"(chain)[0] = :one":                            true,
		"size(pages) < :more":                          false,
		"size(gone) < :more":                           false,
		"box.#dot = :go":                               false,
		"box.#dot <> :go":                              true,
		"box.lucky = :seven":                           true,
		"(box).lucky = :seven":                         true,
		"chain [ 1 ] = :two":                           true,
		"title = :x OR pages = :n AND sold = :true":    true,
		"(title = :x OR pages = :n) AND sold = :x":     false,
		"title = :go OR pages = :x AND sold = :x":      true,
		"NOT title = :x AND pages = :n":                true,
		"NOT (title = :go AND pages = :n)":             false,
		"not attribute_exists(title) or (title)=(:go)": true,
	} {
		n := names(t, `{"#dot":"a.b"}`, bookValues)
		c, err := ParseCondition("ConditionExpression", text, n)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := c.Holds(item(t, book)); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

func TestAConditionOnAnItemThatDoesNotExist(t *testing.T) {
	t.Parallel()
	c, err := ParseCondition("ConditionExpression", "attribute_not_exists(pk)", nil)
	if err != nil {
		t.Fatal(err)
	}
	if !c.Holds(nil) {
		t.Error("attribute_not_exists does not hold of no item")
	}
	if !(*Condition)(nil).Holds(nil) {
		t.Error("no condition does not hold")
	}
}

func TestAConditionNamesTheAttributesThatItReads(t *testing.T) {
	t.Parallel()
	n := names(t, `{"#b":"b"}`, `{":v":{"N":"1"}}`)
	c, err := ParseCondition("FilterExpression", "size(z.y[1]) > :v AND NOT (#b IN (a, :v) OR attribute_exists(z))", n)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Names(); !slices.Equal(got, []string{"a", "b", "z"}) {
		t.Error(got)
	}
	if got := c.Paths().Nested(); !slices.Equal(got, []string{"z"}) {
		t.Error(got)
	}
	if err := n.Unused(); err != nil {
		t.Error(err)
	}
}

func TestConditionsThatAreRefused(t *testing.T) {
	t.Parallel()
	const syntax = `Syntax error; token: `
	many := func(n int) string { return strings.Repeat("x = :s OR ", n-1) + "x = :s" }
	for text, want := range map[string]string{
		"":                         "The expression can not be empty;",
		" \n":                      "The expression can not be empty;",
		"!!! INVALID !!!":          syntax + `"!", near: "!!"`,
		"foo":                      syntax + `"<EOF>", near: "foo"`,
		"attribute_not_exists(":    syntax + `"<EOF>", near: "("`,
		"x > now()":                syntax + `")", near: "()"`,
		"x =":                      syntax + `"<EOF>", near: "="`,
		"x = = :s":                 syntax + `"=", near: "= = :s"`,
		"_x = :s":                  syntax + `"_", near: "_x"`,
		"x = :s )":                 syntax + `")", near: ":s )"`,
		"(x = :s":                  syntax + `"<EOF>", near: ":s"`,
		"x = :s AND foo":           syntax + `"<EOF>", near: "foo"`,
		"foo AND x = :s":           syntax + `"AND", near: "foo AND x"`,
		"(x = :s) = :s":            syntax + `"=", near: ") = :s"`,
		"x > 4":                    syntax + `"4", near: "> 4"`,
		"(size(x))[0] > x":         syntax + `"[", near: ")[0"`,
		"x[y] = :s":                syntax + `"y", near: "[y]"`,
		"x BETWEEN :n OR :m":       syntax + `"OR", near: ":n OR :m"`,
		"x BETWEEN AND :m":         syntax + `"AND", near: "BETWEEN AND :m"`,
		"x BETWEEN :n AND":         syntax + `"<EOF>", near: "AND"`,
		"x = (y = :s)":             syntax + `"=", near: "y = :s"`,
		"x.:s = :s":                syntax + `":s", near: ".:s ="`,
		"x.and = :s":               syntax + `"and", near: ".and ="`,
		"x[0 = :s":                 syntax + `"=", near: "0 = :s"`,
		"NOT x":                    syntax + `"<EOF>", near: "x"`,
		"x IN (:s":                 syntax + `"<EOF>", near: ":s"`,
		"x IN (:s,)":               syntax + `")", near: ",)"`,
		"x IN :s":                  syntax + `":s", near: "IN :s"`,
		"x = é":                    syntax + `"é", near: "= é"`,
		"x = #":                    syntax + `"#", near: "= #"`,
		"and = :s":                 syntax + `"and", near: "and ="`,
		"((x = :s))":               "The expression has redundant parentheses;",
		"x = ((:s))":               "The expression has redundant parentheses;",
		"x=y AND ((x=y AND x=y))":  "The expression has redundant parentheses;",
		"whatever(x)":              "Invalid function name; function: whatever",
		"SIZE(x) = :n":             "Invalid function name; function: SIZE",
		"size(x)":                  "The function is not allowed to be used this way in an expression; function: size",
		"x = :s AND size(x)":       "The function is not allowed to be used this way in an expression; function: size",
		"contains(x, y) = :s":      "The function is not allowed to be used this way in an expression; function: contains",
		"size(contains(x,y)) = :s": "The function is not allowed to be used this way in an expression; function: contains",
		"abOrT = :s":               "Attribute name is a reserved keyword; reserved keyword: abOrT",
		"x" + strings.Repeat(".x", 32) + " = status": "Attribute name is a reserved keyword; reserved keyword: status",
		"x.status = :s":                               "Attribute name is a reserved keyword; reserved keyword: status",
		"#no = :s":                                    "An expression attribute name used in the document path is not defined; attribute name: #no",
		"begins_with(:no, #no)":                       "An expression attribute value used in expression is not defined; attribute value: :no",
		"x = y AND :no < :no2":                        "An expression attribute value used in expression is not defined; attribute value: :no",
		"contains(x)":                                 "Incorrect number of operands for operator or function; operator or function: contains, number of operands: 1",
		"attribute_exists(x, y)":                      "Incorrect number of operands for operator or function; operator or function: attribute_exists, number of operands: 2",
		"attribute_exists(:s)":                        "Operator or function requires a document path; operator or function: attribute_exists",
		"attribute_exists(size(:s))":                  "Operator or function requires a document path; operator or function: attribute_exists",
		"x = x":                                       "The first operand must be distinct from the remaining operands for this operator or function; operator: =, first operand: [x]",
		"contains(x.z[1].y, #x.z[1].y)":               "The first operand must be distinct from the remaining operands for this operator or function; operator: contains, first operand: [x, z, [1], y]",
		"x IN (y, x)":                                 "The first operand must be distinct from the remaining operands for this operator or function; operator: IN, first operand: [x]",
		"x BETWEEN :n AND x":                          "The first operand must be distinct from the remaining operands for this operator or function; operator: BETWEEN, first operand: [x]",
		"attribute_type(:s, :type)":                   "Operator or function requires a document path; operator or function: attribute_type",
		"if_not_exists(x, :s) = :s":                   "The function is not allowed in a condition expression; function: if_not_exists",
		"begins_with(x, :n)":                          "Incorrect operand type for operator or function; operator or function: begins_with, operand type: N",
		"begins_with(x, size(y))":                     "Incorrect operand type for operator or function; operator or function: begins_with, operand type: N",
		"attribute_type(x, :n)":                       "Incorrect operand type for operator or function; operator or function: attribute_type, operand type: N",
		"attribute_type(x, y)":                        "Incorrect operand type for operator or function; operator or function: attribute_type, operand type: {NS,SS,L,BS,N,M,B,BOOL,NULL,S}",
		"attribute_type(x, :s)":                       "Invalid attribute type name found; type: a, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}",
		"size(:n) = :n":                               "Incorrect operand type for operator or function; operator or function: size, operand type: N",
		"size(:bool) = :n":                            "Incorrect operand type for operator or function; operator or function: size, operand type: BOOL",
		"x < :bool":                                   "Incorrect operand type for operator or function; operator or function: <, operand type: BOOL",
		":ss >= x":                                    "Incorrect operand type for operator or function; operator or function: >=, operand type: SS",
		"x > :l":                                      "Incorrect operand type for operator or function; operator or function: >, operand type: L",
		"x BETWEEN :null AND y":                       "Incorrect operand type for operator or function; operator or function: BETWEEN, operand type: NULL",
		"x BETWEEN y AND :map":                        "Incorrect operand type for operator or function; operator or function: BETWEEN, operand type: M",
		":bs BETWEEN y AND x":                         "Incorrect operand type for operator or function; operator or function: BETWEEN, operand type: BS",
		"begins_with(:ns, x)":                         "Incorrect operand type for operator or function; operator or function: begins_with, operand type: NS",
		"size(:null) = :n":                            "Incorrect operand type for operator or function; operator or function: size, operand type: NULL",
		"size(size(x)) = :n":                          "Incorrect operand type for operator or function; operator or function: size, operand type: N",
		"attribute_type(x, :empty)":                   "Invalid attribute type name found; type: , valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}",
		"attribute_type(x, :two)":                     "Invalid attribute type name found; type: N,NS, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}",
		"attribute_not_exists(:s)":                    "Operator or function requires a document path; operator or function: attribute_not_exists",
		"x BETWEEN :b AND :s":                         "The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: {B:YQ==}, upper bound operand: AttributeValue: {S:a}",
		"x BETWEEN :n AND :s":                         "The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:a}",
		"x BETWEEN :m AND :n":                         "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}",
		"x[99999999999] = :s":                         "List index is not within the allowable range; index: [99999999999]",
		"x IN (" + strings.Repeat(":s,", 100) + ":s)": "The IN operator is provided with too many operands; number of operands: 101",
		many(151):                                     "The expression contains too many operators; operator count: 301",
		"x" + strings.Repeat(".x", 32) + " = :s":      "The document path has too many nesting levels; nesting levels: 33",
		strings.Repeat("x", 4092) + " = :s":           "Expression size has exceeded the maximum allowed size; expression size: 4097",
	} {
		n := names(t, `{"#x":"x"}`, everyKind)
		n.Values[":empty"], n.Values[":two"] = &attribute.Value{Kind: attribute.S}, &attribute.Value{Kind: attribute.S, Text: "N,NS"}
		_, err := ParseCondition("FilterExpression", text, n)
		if got := messageOf(t, err); got != "Invalid FilterExpression: "+want {
			t.Errorf("%.80s:\n got %s\nwant Invalid FilterExpression: %s", text, got, want)
		}
	}
	for what, text := range map[string]string{
		"300 operators":           "NOT " + many(150),
		"100 operands of IN":      "x IN (" + strings.Repeat(":s,", 99) + ":s)",
		"a path of 32 steps":      "x" + strings.Repeat(".x", 31) + " = :s",
		"4096 bytes":              strings.Repeat("x", 4091) + " = :s",
		"the last index":          "x[2147483647] = :s",
		"BETWEEN of equal bounds": "x BETWEEN :n AND :n",
		"equal constants":         ":s = :s",
		"another element":         "x[0] = x[1]",
	} {
		if _, err := ParseCondition("FilterExpression", text, names(t, "", everyKind)); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestPlaceholdersMustBeUsed(t *testing.T) {
	t.Parallel()
	n := names(t, `{"#a":"x","#b":"y"}`, `{":a":{"N":"1"},":c":{"N":"1"},":b":{"N":"1"}}`)
	if _, err := ParseCondition("FilterExpression", "#a = :a", n); err != nil {
		t.Fatal(err)
	}
	if got := messageOf(t, n.Unused()); got != "Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}" {
		t.Error(got)
	}
	if _, err := ParseProjection("#b", n); err != nil {
		t.Fatal(err)
	}
	if got := messageOf(t, n.Unused()); got != "Value provided in ExpressionAttributeValues unused in expressions: keys: {:b, :c}" {
		t.Error(got)
	}
}
