package handler

import (
	"fmt"
	"net/url"
	"testing"

	"gatewright/model"
)

func TestCRUDAPartitionKeyMayBeObject(t *testing.T) {
	t.Run("without a sort key", func(t *testing.T) {
		s := newStore(t, keyNamed("id", model.StringKey), noKey, "/items")
		s.want("PUT", "/items", `{"id":"object"}`, 200, done("put", "/items", `{}`))
		s.want("GET", "/items/object", "", 200, `[{"id":"object"}]`)
		s.want("GET", "/items/object/", "", 200, `[{"id":"object"}]`)
		s.want("GET", "/items/object/object", "", 200, `{"id":"object"}`)
		s.refuse("GET", "/items/object/object/object", "", 404, "")
	})
	t.Run("with a sort key", func(t *testing.T) {
		s := newStore(t, keyNamed("id", model.StringKey), keyNamed("at", model.StringKey), "/items")
		s.want("PUT", "/items", `{"id":"object","at":"object"}`, 200, done("put", "/items", `{}`))
		s.want("GET", "/items/object", "", 200, `[{"id":"object","at":"object"}]`)
		s.want("GET", "/items/object/object/object", "", 200, `{"id":"object","at":"object"}`)
		s.refuse("GET", "/items/object/object", "", 400, `sort key \"at\" is missing`)
	})
}

func TestCRUDKeysOfEveryType(t *testing.T) {
	for _, c := range []struct {
		keyType model.KeyType
		// given is the key in the body, inPath the same in a path (before
		// it is percent-encoded), want the same in an answer.
		given, inPath, want string
	}{
		{model.StringKey, `"a b/c+d%e?f#g"`, "a b/c+d%e?f#g", `"a b/c+d%e?f#g"`},
		{model.StringKey, `"日本 é 🎈"`, "日本 é 🎈", `"日本 é 🎈"`},
		{model.StringKey, `"../.."`, "../..", `"../.."`},
		{model.StringKey, `"12"`, "12", `"12"`},
		{model.StringKey, `"__proto__"`, "__proto__", `"__proto__"`},
		{model.NumberKey, `0`, "0", `0`},
		{model.NumberKey, `1.25`, "1.250", `1.25`},
		{model.NumberKey, `-7`, "-7", `-7`},
		{model.NumberKey, `1e3`, "1000", `1000`},
		{model.NumberKey, `9007199254740991`, "9007199254740991", `9007199254740991`},
		{model.NumberKey, `9007199254740993`, "9007199254740993", `"9007199254740993"`},
		{model.NumberKey, `"9007199254740993"`, "9007199254740993", `"9007199254740993"`},
		{model.NumberKey, `-12345678901234567890.5`, "-12345678901234567890.5", `"-12345678901234567890.5"`},
		{model.NumberKey, `0.12345678901234567890123`, "0.12345678901234567890123", `"0.12345678901234567890123"`},
		{model.BinaryKey, `"AP/+/w=="`, "AP/+/w==", `"AP/+/w=="`},
		{model.BinaryKey, `"AP_-_w"`, "AP_-_w", `"AP/+/w=="`},
	} {
		t.Run(fmt.Sprint(c.keyType, " ", c.given), func(t *testing.T) {
			s := newStore(t, keyNamed("id", c.keyType), noKey, "/items")
			path := url.PathEscape(c.inPath)
			s.want("PUT", "/items", `{"id":`+c.given+`,"x":1}`, 200, done("put", "/items", `{}`))
			s.want("GET", "/items", "", 200, `[{"id":`+c.want+`,"x":1}]`)
			s.want("GET", "/items/"+path, "", 200, `[{"id":`+c.want+`,"x":1}]`)
			s.want("GET", "/items/object/"+path, "", 200, `{"id":`+c.want+`,"x":1}`)
			s.want("PATCH", "/items/object/"+path, `{"x":2,"id":`+c.given+`}`, 200,
				done("patch", "/items/object/"+path, `{"id":`+c.want+`,"x":2}`))
			s.want("PATCH", "/items", `{"y":[],"id":`+c.want+`}`, 200,
				done("patch", "/items", `{"id":`+c.want+`,"x":2,"y":[]}`))
			s.want("DELETE", "/items/object/"+path, "", 200, done("delete", "/items/object/"+path, `{}`))
			s.want("GET", "/items", "", 200, `[]`)
		})
	}
}

func TestCRUDRefusesKeysOfAnotherType(t *testing.T) {
	for _, c := range []struct {
		keyType model.KeyType
		// given is the key in a body, or undefined in a path where it is empty.
		given, inPath string
	}{
		{model.StringKey, `1`, "%zz"},
		{model.StringKey, `""`, "%E0%A4%A"},
		{model.StringKey, `null`, "%"},
		{model.StringKey, `["a"]`, ""},
		{model.NumberKey, `"abc"`, "abc"},
		{model.NumberKey, `"1"`, "NaN"},
		{model.NumberKey, `true`, "0x10"},
		{model.NumberKey, `""`, "Infinity"},
		{model.NumberKey, `{}`, "1,5"},
		{model.NumberKey, `"1e9x"`, "%20"},
		{model.NumberKey, `1e999`, "1e999"},
		{model.BinaryKey, `7`, "%24"},
		{model.BinaryKey, `"AQ=A"`, "A"},
		{model.BinaryKey, `"A"`, "A%3D"},
	} {
		t.Run(fmt.Sprint(c.keyType, " ", c.given, " ", c.inPath), func(t *testing.T) {
			s := newStore(t, keyNamed("id", c.keyType), noKey, "/items")
			s.refuse("PUT", "/items", `{"id":`+c.given+`}`, 400, "")
			s.refuse("POST", "/items", `{"Id":1}`, 400, `\"id\" is missing`)
			s.refuse("PATCH", "/items", `{"id":`+c.given+`}`, 400, "")
			s.refuse("GET", "/items/object/"+c.inPath+"/", "", 400, "")
			if c.inPath != "" {
				s.refuse("GET", "/items/"+c.inPath, "", 400, "")
				s.refuse("DELETE", "/items/object/"+c.inPath, "", 400, "")
				s.refuse("PATCH", "/items/object/"+c.inPath, `{}`, 400, "")
			}
		})
	}
}

func TestCRUDAcceptsReservedWordsAsNames(t *testing.T) {
	s := newStore(t, keyNamed("order", model.StringKey), keyNamed("by.the #key", model.StringKey), "/items")
	s.want("PUT", "/items", `{"order":"1","by.the #key":"2","size":1}`, 200, done("put", "/items", `{}`))
	s.want("PATCH", "/items/object/1/2", `{"name":"n","size":2,"a.b":3,"constructor":{"constructor":"x"},"toString":4}`, 200,
		done("patch", "/items/object/1/2",
			`{"order":"1","by.the #key":"2","name":"n","size":2,"a.b":3,"constructor":{"constructor":"x"},"toString":4}`))
	s.want("GET", "/items/1", "", 200,
		`[{"order":"1","by.the #key":"2","name":"n","size":2,"a.b":3,"constructor":{"constructor":"x"},"toString":4}]`)
	s.want("PUT", "/items", `{"order":"1","by.the #key":"3","map":{"constructor":{"name":"Set"}}}`, 200, done("put", "/items", `{}`))
	s.want("GET", "/items/object/1/3", "", 200, `{"order":"1","by.the #key":"3","map":{"constructor":{"name":"Set"}}}`)
}

func TestCRUDAKeyMayBeNamedLikeAMemberOfEveryObject(t *testing.T) {
	s := newStore(t, keyNamed("constructor", model.StringKey), noKey, "/items")
	s.refuse("PUT", "/items", `{}`, 400, `\"constructor\" is missing`)
	s.want("PUT", "/items", `{"constructor":"1"}`, 200, done("put", "/items", `{}`))
	s.want("GET", "/items/object/1", "", 200, `{"constructor":"1"}`)
}
