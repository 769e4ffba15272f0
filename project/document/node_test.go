package document

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
)

func TestNodesShowTheValuesOfTheFile(t *testing.T) {
	t.Parallel()
	d := mustParse(t, "\ufeff{\"o\": {\"\\u0061\\\"\": true, \"b\": false}, \"l\": [null, -1.5e3, \"\\ud83d\\ude00\"]}")
	if got := show(d.Root()); got != `object{o:object{a":true,b:false},l:array[null,-1.5e3,😀]}` {
		t.Errorf("got %s", got)
	}
	list, _ := d.Root().Get("l")
	if string(list.Raw()) != `[null, -1.5e3, "\ud83d\ude00"]` || list.Len() != 3 || list.Offset() != 46 {
		t.Errorf("got %s, %d elements at %d", list.Raw(), list.Len(), list.Offset())
	}
	for range d.Root().Members() {
		break
	}
	for range list.Elements() {
		break
	}
}

func show(n Node) string {
	var parts []string
	switch n.Kind() {
	case Object:
		for key, value := range n.Members() {
			parts = append(parts, key+":"+show(value))
		}
		return n.Kind().String() + "{" + strings.Join(parts, ",") + "}"
	case Array:
		for i, value := range n.Elements() {
			if i != len(parts) {
				return "elements out of order"
			}
			parts = append(parts, show(value))
		}
		return n.Kind().String() + "[" + strings.Join(parts, ",") + "]"
	case String:
		return n.Text()
	case Bool:
		return fmt.Sprint(n.Bool())
	default:
		return string(n.Raw())
	}
}

func TestKindsAreCalledAsInJSON(t *testing.T) {
	t.Parallel()
	d := mustParse(t, `[{}, [], "", 0, true, null]`)
	want := []string{"object", "array", "string", "number", "boolean", "null"}
	for i, n := range d.Root().Elements() {
		if got := n.Kind().String(); got != want[i] {
			t.Errorf("%s is called %q", n.Raw(), got)
		}
	}
	if got := Invalid.String(); got != "invalid" {
		t.Errorf("no value is called %q", got)
	}
}

func TestTheZeroNodeIsHarmless(t *testing.T) {
	t.Parallel()
	var n Node
	for range n.Members() {
		t.Error("has members")
	}
	for range n.Elements() {
		t.Error("has elements")
	}
	_, found := n.Get("")
	if found || n.Kind() != Invalid || n.Len() != 0 || n.Text() != "" || n.Bool() || n.Raw() != nil || n.Offset() != 0 {
		t.Error("the zero node has a value")
	}
}

func TestFindFollowsPointers(t *testing.T) {
	t.Parallel()
	d := mustParse(t, `{"": 1, "a/b": {"m~n": [2, {"01": 3}]}, "~1": 4}`)
	found := map[string]string{
		"/": "1", "/a~1b/m~0n/0": "2", "/a~1b/m~0n/1/01": "3", "/~01": "4",
	}
	for pointer, want := range found {
		if n, ok := d.Find(pointer); !ok || string(n.Raw()) != want {
			t.Errorf("%s: got %s, %t, want %s", pointer, n.Raw(), ok, want)
		}
	}
	if n, ok := d.Find(""); !ok || n != d.Root() {
		t.Error("the empty pointer is not the root")
	}
	for _, pointer := range []string{
		"a~1b", "/a~1b/m~0n/2", "/a~1b/m~0n/00", "/a~1b/m~0n/-", "/a~1b/m~0n/+1", "/a~1b/m~0n/18446744073709551616",
		"/a~1b/m~n", "/~", "/~2", "//x", "/a~1b/m~0n/0/0",
	} {
		if n, ok := d.Find(pointer); ok {
			t.Errorf("%s: found %s", pointer, n.Raw())
		}
	}
}

func TestPositionIsOfTheKeyAndCountsCharacters(t *testing.T) {
	t.Parallel()
	d := mustParse(t, "\ufeff{\"é\": 1, \"ü\":\r\n  [\"ö\", {\"x\":\n2}]}")
	tests := []struct {
		pointer      string
		line, column int
	}{
		{"", 1, 1},
		{"/é", 1, 2},
		{"/ü", 1, 10},
		{"/ü/0", 2, 4},
		{"/ü/1", 2, 9},
		{"/ü/1/x", 2, 10},
	}
	for _, tt := range tests {
		line, column, ok := d.Position(tt.pointer)
		if !ok || line != tt.line || column != tt.column {
			t.Errorf("%q: got %d:%d, %t, want %d:%d", tt.pointer, line, column, ok, tt.line, tt.column)
		}
	}
	if line, column, ok := d.Position("/none"); ok || line != 0 || column != 0 {
		t.Errorf("a missing value is at %d:%d", line, column)
	}
}

func TestLargeObjectsAreLookedUpAlike(t *testing.T) {
	t.Parallel()
	const size = 200
	members := make(map[string]int, size)
	for i := range size {
		members[fmt.Sprintf("k\n%d", i)] = i
	}
	src, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	d := mustParse(t, string(src))
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for key, want := range members {
				if n, ok := d.Root().Get(key); !ok || string(n.Raw()) != fmt.Sprint(want) {
					t.Errorf("%q: got %s, %t, want %d", key, n.Raw(), ok, want)
				}
				if n, ok := d.Root().Get(key + "0x"); ok {
					t.Errorf("%q0x: found %s", key, n.Raw())
				}
			}
		})
	}
	wait.Wait()
}

func TestEqualComparesMeaning(t *testing.T) {
	t.Parallel()
	tests := []struct {
		x, y string
		want bool
	}{
		{`{"a":1,"b":[true]}`, `{ "b" : [ true ], "a" : 1.0 }`, true},
		{`{"a":1}`, `{"b":1}`, false},
		{`{"a":1}`, `{"a":1,"b":1}`, false},
		{`[1,2]`, `[2,1]`, false},
		{`"\u0061\/"`, `"a/"`, true},
		{`"a"`, `"b"`, false},
		{`true`, `false`, false},
		{`null`, `false`, false},
		{`100`, `1e2`, true},
		{`0.001`, `10E-4`, true},
		{`-0`, `0.0e7`, true},
		{`-1`, `1`, false},
		{`9007199254740993`, `9007199254740992`, false},
		{`1e999999999999`, `1e999999999999`, true},
		{`1e999999999999`, `1e999999999998`, false},
		{`1`, `"1"`, false},
	}
	for _, tt := range tests {
		x, y := mustParse(t, tt.x).Root(), mustParse(t, tt.y).Root()
		if equal(x, y) != tt.want || equal(y, x) != tt.want {
			t.Errorf("%s and %s: got %t", tt.x, tt.y, !tt.want)
		}
		if x.Kind() < Array && y.Kind() < Array && x.Kind() == y.Kind() && (identity(x) == identity(y)) != tt.want {
			t.Errorf("identities of %s and %s are %q and %q", tt.x, tt.y, identity(x), identity(y))
		}
	}
}
