package expression

import (
	"strings"
	"testing"
)

func TestUpdatesThatAreRefused(t *testing.T) {
	t.Parallel()
	const syntax = `Syntax error; token: `
	sums := func(n int) string { return "SET " + strings.Repeat("x=y+z,", n-1) + "x=y+z" }
	for text, want := range map[string]string{
		"":                                 "The expression can not be empty;",
		"INVALID SYNTAX HERE":              syntax + `"INVALID", near: "INVALID SYNTAX"`,
		"SET":                              syntax + `"<EOF>", near: "SET"`,
		"SET _123 = :s":                    syntax + `"_", near: "SET _123"`,
		"SET x = y,":                       syntax + `"<EOF>", near: ","`,
		"SET x = y + z + w":                syntax + `"+", near: "z + w"`,
		"SET x = (y + z) + w":              syntax + `"+", near: ") + w"`,
		"SET (x = (y + z))":                syntax + `"(", near: "SET (x"`,
		"SET if_not_exist(x, y) = x":       syntax + `"(", near: "if_not_exist(x"`,
		"SET x = :s y = :s":                syntax + `"y", near: ":s y ="`,
		"REMOVE :s":                        syntax + `":s", near: "REMOVE :s"`,
		"ADD x y":                          syntax + `"y", near: "x y"`,
		"SET x = if_not_exists(y + :n, z)": syntax + `"+", near: "y + :n"`,
		"SET abOrt = y":                    "Attribute name is a reserved keyword; reserved keyword: abOrt",
		"SET x = if_not_exist(:no)":        "Invalid function name; function: if_not_exist",
		"SET x = size(y)":                  "The function is not allowed in an update expression; function: size",
		"SET x = #no SET y = :no":          `The "SET" section can only be used once in an update expression;`,
		"remove #no remove x":              `The "REMOVE" section can only be used once in an update expression;`,
		"SET x = :no, #no = :s":            "An expression attribute name used in the document path is not defined; attribute name: #no",
		"SET x = :no":                      "An expression attribute value used in expression is not defined; attribute value: :no",
		"SET x = :s, #x = :t":              "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [x], path two: [x]",
		"SET d[1] = y, d.b = y, x[1].y = y, #x = y": "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [x, [1], y], path two: [x]",
		"REMOVE y.x SET y[1] = w":                   "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [y, x], path two: [y, [1]]",
		"ADD x :s":                                  "Incorrect operand type for operator or function; operator: ADD, operand type: STRING, typeSet: ALLOWED_FOR_ADD_OPERAND",
		"ADD x :l":                                  "Incorrect operand type for operator or function; operator: ADD, operand type: LIST, typeSet: ALLOWED_FOR_ADD_OPERAND",
		"ADD x :map":                                "Incorrect operand type for operator or function; operator: ADD, operand type: MAP, typeSet: ALLOWED_FOR_ADD_OPERAND",
		"ADD x :null":                               "Incorrect operand type for operator or function; operator: ADD, operand type: NULL, typeSet: ALLOWED_FOR_ADD_OPERAND",
		"DELETE x :n":                               "Incorrect operand type for operator or function; operator: DELETE, operand type: NUMBER, typeSet: ALLOWED_FOR_DELETE_OPERAND",
		"DELETE x :bool":                            "Incorrect operand type for operator or function; operator: DELETE, operand type: BOOLEAN, typeSet: ALLOWED_FOR_DELETE_OPERAND",
		"DELETE x :b":                               "Incorrect operand type for operator or function; operator: DELETE, operand type: BINARY, typeSet: ALLOWED_FOR_DELETE_OPERAND",
		"SET x = if_not_exists(y)":                  "Incorrect number of operands for operator or function; operator or function: if_not_exists, number of operands: 1",
		"SET x = if_not_exists(:s, y)":              "Operator or function requires a document path; operator or function: if_not_exists",
		"SET x = list_append(y, :n)":                "Incorrect operand type for operator or function; operator or function: list_append, operand type: N",
		"SET x = y + :s":                            "Incorrect operand type for operator or function; operator or function: +, operand type: S",
		"SET x = :ss - y":                           "Incorrect operand type for operator or function; operator or function: -, operand type: SS",
		"SET x = y + (z - w)":                       syntax + `"<EOF>", near: ")"`,
		"SET x = ((y))":                             "The expression has redundant parentheses;",
		"SET x = ((y + :n))":                        "The expression has redundant parentheses;",
		"SET x = y ADD z :s, x.and :s":              "Attribute name is a reserved keyword; reserved keyword: and",
		"SET x = list_append((y + z), :l)":          syntax + `"+", near: "y + z"`,
		"SET x = list_append(:l, :s)":               "Incorrect operand type for operator or function; operator or function: list_append, operand type: S",
		"SET x = list_append(list_append(y, :l), :s) + :s": "Incorrect operand type for operator or function; operator or function: list_append, operand type: S",
		"SET x = list_append(y, :l) + :n":                  "Incorrect operand type for operator or function; operator or function: +, operand type: L",
		"SET x = if_not_exists(if_not_exists(y, z), :s)":   "Operator or function requires a document path; operator or function: if_not_exists",
		"SET x = list_append(y, if_not_exists(:s, z))":     "Operator or function requires a document path; operator or function: if_not_exists",
		"SET x = list_append(y)":                           "Incorrect number of operands for operator or function; operator or function: list_append, number of operands: 1",
		"SET x = :no ADD #no :n":                           "An expression attribute name used in the document path is not defined; attribute name: #no",
		"DELETE x :null":                                   "Incorrect operand type for operator or function; operator: DELETE, operand type: NULL, typeSet: ALLOWED_FOR_DELETE_OPERAND",
		"DELETE x :l":                                      "Incorrect operand type for operator or function; operator: DELETE, operand type: LIST, typeSet: ALLOWED_FOR_DELETE_OPERAND",
		"DELETE x :map":                                    "Incorrect operand type for operator or function; operator: DELETE, operand type: MAP, typeSet: ALLOWED_FOR_DELETE_OPERAND",
		"DELETE x :s":                                      "Incorrect operand type for operator or function; operator: DELETE, operand type: STRING, typeSet: ALLOWED_FOR_DELETE_OPERAND",
		"ADD x :b":                                         "Incorrect operand type for operator or function; operator: ADD, operand type: BINARY, typeSet: ALLOWED_FOR_ADD_OPERAND",
		"ADD x :bool":                                      "Incorrect operand type for operator or function; operator: ADD, operand type: BOOLEAN, typeSet: ALLOWED_FOR_ADD_OPERAND",
		"REMOVE x[0].y, x[0].y.z":                          "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [x, [0], y], path two: [x, [0], y, z]",
		"SET x" + strings.Repeat(".x", 32) + " = :s":       "The document path has too many nesting levels; nesting levels: 33",
		sums(301): "The expression contains too many operators; operator count: 301",
	} {
		_, err := ParseUpdate(text, names(t, `{"#x":"x"}`, everyKind))
		if got := messageOf(t, err); got != "Invalid UpdateExpression: "+want {
			t.Errorf("%s:\n got %s\nwant Invalid UpdateExpression: %s", text, got, want)
		}
	}
	// As many operators as an update may have are no refusal of their own.
	_, err := ParseUpdate(sums(300), nil)
	if got := messageOf(t, err); !strings.Contains(got, "path one: [x], path two: [x]") {
		t.Errorf("300 operators: %s", got)
	}
	if _, err := ParseUpdate("SET x"+strings.Repeat(".x", 31)+" = y", nil); err != nil {
		t.Errorf("a path of 32 steps: %v", err)
	}
}
