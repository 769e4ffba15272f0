package document

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestChangeTouchesOnlyWhatDiffers(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name          string
		disk          string
		before, after string
		want          string
	}{
		{
			name:   "a scalar is replaced where it stands",
			disk:   "{\n  \"name\" :  \"old\" ,\n  \"x\": 1.0\n}",
			before: `{"name":"old","x":1}`, after: `{"name":"new","x":1}`,
			want: "{\n  \"name\" :  \"new\" ,\n  \"x\": 1.0\n}",
		},
		{
			name:   "what before and after agree on stays as the file has it",
			disk:   `{"a": 7, "b": 1}`,
			before: `{"a":1,"b":1}`, after: `{"a":1,"b":2}`,
			want: `{"a": 7, "b": 2}`,
		},
		{
			name:   "a member that the file lacks stays missing while nobody changes it",
			disk:   `{"b": 1}`,
			before: `{"a":1,"b":1}`, after: `{"a":1,"b":2}`,
			want: `{"b": 2}`,
		},
		{
			name:   "what a set gets twice is added once",
			disk:   `[1, 7]`,
			before: `[1,2]`, after: `[2,3,3,7,3]`,
			want: `[7, 3]`,
		},
		{
			name:   "a changed member that the file lacks is inserted",
			disk:   `{"b": 1}`,
			before: `{"a":1,"b":1}`, after: `{"a":2,"b":1}`,
			want: `{"a": 2, "b": 1}`,
		},
		{
			name:   "a value that the file has already, spelled otherwise, is left alone",
			disk:   `{"a": 2.50e1, "b": "\u0078"}`,
			before: `{"a":1,"b":"y"}`, after: `{"a":25,"b":"x"}`,
			want: `{"a": 2.50e1, "b": "\u0078"}`,
		},
		{
			name:   "a new member comes behind the sibling before it",
			disk:   "{\n  \"b\": 2,\n  \"foreign\": 0,\n  \"a\": 1\n}\n",
			before: `{"a":1,"b":2}`, after: `{"a":1,"new":3,"b":2}`,
			want: "{\n  \"b\": 2,\n  \"foreign\": 0,\n  \"a\": 1,\n  \"new\": 3\n}\n",
		},
		{
			name:   "a new first member comes right before the sibling behind it",
			disk:   "{\n  \"foreign\": 0,\n\n  \"a\": 1\n}\n",
			before: `{"a":1}`, after: `{"new":3,"a":1}`,
			want: "{\n  \"foreign\": 0,\n\n  \"new\": 3,\n  \"a\": 1\n}\n",
		},
		{
			name:   "without siblings in the file a new member comes last",
			disk:   "{\n\t\"foreign\": 0\n}",
			before: ``, after: `{"new":{"deep":[1]}}`,
			want: "{\n\t\"foreign\": 0,\n\t\"new\": {\n\t\t\"deep\": [\n\t\t\t1\n\t\t]\n\t}\n}",
		},
		{
			name:   "a new member that others added meanwhile is brought to the wanted value",
			disk:   `{"a": {"x": 1, "foreign": true}}`,
			before: `{}`, after: `{"a":{"x":2}}`,
			want: `{"a": {"x": 2, "foreign": true}}`,
		},
		{
			name:   "a new array that others added meanwhile ends up as wanted",
			disk:   `{"a": [ "create", "read" ]}`,
			before: `{}`, after: `{"a":["read"]}`,
			want: `{"a": [ "read" ]}`,
		},
		{
			name:   "removing a member takes its line",
			disk:   "{\n  \"a\": 1,  \n\n  \"b\": 2,\n  \"c\": 3\n}",
			before: `{"a":1,"b":2,"c":3}`, after: `{"a":1,"c":3}`,
			want: "{\n  \"a\": 1,  \n\n  \"c\": 3\n}",
		},
		{
			name:   "removing the last member takes the comma before it",
			disk:   "{\n  \"a\": 1,  \n  \"b\": 2\n}",
			before: `{"a":1,"b":2}`, after: `{"a":1}`,
			want: "{\n  \"a\": 1  \n}",
		},
		{
			name:   "removing the only member leaves empty braces",
			disk:   "{\n  \"a\": {\n    \"b\": 2\n  }\n}",
			before: `{"a":{"b":2}}`, after: `{"a":{}}`,
			want: "{\n  \"a\": {}\n}",
		},
		{
			name:   "empty braces open up in a document of several lines",
			disk:   "{\r\n    \"paths\": {}\r\n}",
			before: `{"paths":{}}`, after: `{"paths":{"/a":{"name":"/a"}}}`,
			want: "{\r\n    \"paths\": {\r\n        \"/a\": {\r\n            \"name\": \"/a\"\r\n        }\r\n    }\r\n}",
		},
		{
			name:   "a minified document stays minified",
			disk:   `{"paths":{"/a":{"auth":["read"]}}}`,
			before: `{"paths":{"/a":{"auth":["read"]}}}`, after: "{\n \"paths\": {\n \"/a\": {\"auth\": [\"create\", \"read\"]}, \"/b\": {\"auth\": [\"read\", \"update\"]}}}",
			want: `{"paths":{"/a":{"auth":["create","read"]},"/b":{"auth":["read","update"]}}}`,
		},
		{
			name:   "an object on one line is not replaced there, with its padding",
			disk:   "{\n  \"p\": { \"setting\": \"open\" },\n  \"q\": [1, 2]\n}",
			before: `{"p":{"setting":"open"}}`, after: `{"p":{"setting":"private","auth":["read","create"],"groups":{"A":["read"]}}}`,
			want: "{\n  \"p\": { \"setting\": \"private\", \"auth\": [\"read\", \"create\"], \"groups\": { \"A\": [\"read\"] } },\n  \"q\": [1, 2]\n}",
		},
		{
			name:   "new arrays are laid out like those of sibling entries",
			disk:   "{\n  \"/a\": {\n    \"auth\": [ \"read\", \"create\" ]\n  }\n}",
			before: `{"/a":{"auth":["read","create"]}}`, after: `{"/a":{"auth":["read","create"]},"/b":{"auth":["read"],"guest":["read","create"]}}`,
			want: "{\n  \"/a\": {\n    \"auth\": [ \"read\", \"create\" ]\n  },\n  \"/b\": {\n    \"auth\": [ \"read\" ],\n    \"guest\": [ \"read\", \"create\" ]\n  }\n}",
		},
		{
			name:   "entries on one line each get a new one on one line",
			disk:   "{\n  \"/a\": {\"name\": \"/a\"},\n  \"/c\": {\"name\": \"/c\"}\n}",
			before: `{"/a":{"name":"/a"},"/c":{"name":"/c"}}`, after: `{"/a":{"name":"/a"},"/b":{"name":"/b","auth":["read"]},"/c":{"name":"/c"}}`,
			want: "{\n  \"/a\": {\"name\": \"/a\"},\n  \"/b\": {\"name\": \"/b\", \"auth\": [\"read\"]},\n  \"/c\": {\"name\": \"/c\"}\n}",
		},
		{
			name:   "commas at the start of lines stay there",
			disk:   "{ \"a\": 1\n, \"b\": 2\n}",
			before: `{"a":1,"b":2}`, after: `{"a":1,"b":2,"c":3}`,
			want: "{ \"a\": 1\n, \"b\": 2\n, \"c\": 3\n}",
		},
		{
			name:   "a renamed key keeps its place, its order and what others wrote into it",
			disk:   "{\n  \"/b\": {\"note\": \"mine\", \"name\": \"/b\"},\n  \"/a\": {}\n}",
			before: `{"/a":{},"/b":{"name":"/b"}}`, after: `{"/a":{},"/x":{"name":"/x"}}`,
			want: "{\n  \"/x\": {\"note\": \"mine\", \"name\": \"/x\"},\n  \"/a\": {}\n}",
		},
		{
			name:   "several renames at once",
			disk:   `{"a": 1.0, "b": 2.0, "c": 3.0}`,
			before: `{"a":1,"b":2,"c":3}`, after: `{"x":1,"y":2,"c":3}`,
			want: `{"x": 1.0, "y": 2.0, "c": 3.0}`,
		},
		{
			name:   "one key gone and another come elsewhere is no rename",
			disk:   `{"a": {"foreign": 1}, "b": 2, "c": 3}`,
			before: `{"a":{},"b":2,"c":3}`, after: `{"b":2,"x":{},"c":3}`,
			want: `{"b": 2, "x": {}, "c": 3}`,
		},
		{
			name:   "of two that came the one alike is the renamed one",
			disk:   `{"a": {"f": "fn", "s": "open", "note": 1}}`,
			before: `{"a":{"f":"fn","s":"open"}}`, after: `{"n":{"f":"other","s":"private"},"b":{"f":"fn","s":"private"}}`,
			want: `{"n": {"f": "other", "s": "private"}, "b": {"f": "fn", "s": "private", "note": 1}}`,
		},
		{
			name:   "a rename to a key that others added meanwhile does not write it twice",
			disk:   `{"a": 1, "x": 5}`,
			before: `{"a":1}`, after: `{"x":1}`,
			want: `{"x": 1}`,
		},
		{
			name:   "a key that came between other neighbours is no rename",
			disk:   `{"p": 1, "x": {"foreign": 1}, "q": 2, "s": 3}`,
			before: `{"p":1,"x":{},"q":2,"s":3}`, after: `{"p":1,"y":{},"s":3,"q":2}`,
			want: `{"p": 1, "y": {}, "q": 2, "s": 3}`,
		},
		{
			name:   "a rename of a key that the file lacks inserts the new one",
			disk:   `{"a": 1}`,
			before: `{"a":1,"x":2}`, after: `{"a":1,"y":2}`,
			want: `{"a": 1, "y": 2}`,
		},
		{
			name:   "a set that others changed too keeps their elements",
			disk:   `["foreign", "read", "create"]`,
			before: `["create","read"]`, after: `["read","update"]`,
			want: `["foreign", "read", "update"]`,
		},
		{
			name:   "an array equal to before is edited by element",
			disk:   "[\n  {\"n\" : 1},\n  {\"n\" : 2},\n  {\"n\" : 3}\n]",
			before: `[{"n":1},{"n":2},{"n":3}]`, after: `[{"n":1},{"n":5},{"n":3},{"n":4}]`,
			want: "[\n  {\"n\" : 1},\n  {\"n\" : 5},\n  {\"n\" : 3},\n  {\"n\" : 4}\n]",
		},
		{
			name:   "an array of objects that others changed too is replaced",
			disk:   `{"p": [{"n": 1, "foreign": 2}]}`,
			before: `{"p":[{"n":1}]}`, after: `{"p":[{"n":2}]}`,
			want: `{"p": [{"n": 2}]}`,
		},
		{
			name:   "a value of another kind is replaced in place",
			disk:   "{\n  \"a\": 1,\n  \"b\": 2\n}",
			before: `{"a":1,"b":2}`, after: `{"a":{"x":[]},"b":2}`,
			want: "{\n  \"a\": {\n    \"x\": []\n  },\n  \"b\": 2\n}",
		},
		{
			name:   "everything gives way to more that is not alike",
			disk:   "{\n  \"p\": {\n    \"a\": { \"x\": 1 }\n  }\n}",
			before: `{"p":{"a":{"x":1}}}`, after: `{"p":{"b":{"y":2},"c":{"z":3}}}`,
			want: "{\n  \"p\": {\n    \"b\": { \"y\": 2 },\n    \"c\": { \"z\": 3 }\n  }\n}",
		},
		{
			name:   "trailing spaces and odd indentation of the neighbours stay",
			disk:   "{\n      \"a\": 1,\n  \"b\": 2 \t\n}",
			before: `{"a":1,"b":2}`, after: `{"n":0,"a":1,"b":2,"m":3}`,
			want: "{\n  \"n\": 0,\n      \"a\": 1,\n  \"b\": 2, \t\n  \"m\": 3\n}",
		},
		{
			name:   "commas on one line are as tight as the document's",
			disk:   "{\n  \"l\": [1,2]\n}",
			before: `{}`, after: `{"m":[3,4]}`,
			want: "{\n  \"l\": [1,2],\n  \"m\": [3,4]\n}",
		},
		{
			name:   "an empty array on two lines keeps them although others have one",
			disk:   "{\n  \"l\": [1],\n  \"m\": [\n  ]\n}",
			before: `{"m":[]}`, after: `{"m":[2]}`,
			want: "{\n  \"l\": [1],\n  \"m\": [\n    2\n  ]\n}",
		},
		{
			name:   "an empty array becomes like the others, on one line",
			disk:   "{\n  \"l\": [1],\n  \"m\": []\n}",
			before: `{"m":[]}`, after: `{"m":[2]}`,
			want: "{\n  \"l\": [1],\n  \"m\": [2]\n}",
		},
		{
			name:   "commas on lines of their own",
			disk:   "{\n  \"a\": 1\n  ,\n  \"b\": 2\n}",
			before: `{"a":1,"b":2}`, after: `{"a":1,"b":2,"c":3}`,
			want: "{\n  \"a\": 1\n  ,\n  \"b\": 2\n  ,\n  \"c\": 3\n}",
		},
		{
			name:   "entries that share a line",
			disk:   "{ \"a\": 1, \"b\": 2,\n  \"c\": 3, \"d\": 4 }",
			before: `{"a":1,"b":2,"c":3,"d":4}`, after: `{"n":0,"a":1,"m":9,"c":3}`,
			want: "{ \"n\": 0, \"a\": 1, \"m\": 9,\n  \"c\": 3 }",
		},
		{
			name:   "elements that open where the one before them closes",
			disk:   "{\n  \"l\": [{\n    \"n\": 1\n  }, {\n    \"n\": 2\n  }]\n}",
			before: `{"l":[{"n":1},{"n":2}]}`, after: `{"l":[{"n":1},{"n":2},{"n":3}]}`,
			want: "{\n  \"l\": [{\n    \"n\": 1\n  }, {\n    \"n\": 2\n  }, {\n    \"n\": 3\n  }]\n}",
		},
		{
			name:   "a place that cannot be entered does not matter where nothing changes",
			disk:   `{"a": 5, "b": 1}`,
			before: `{"a":{"x":1},"b":1}`, after: `{"a":{"x":1.0},"b":2}`,
			want: `{"a": 5, "b": 2}`,
		},
		{
			name:   "nothing before and nothing after is nothing to do",
			disk:   `5`,
			before: "\n", after: ``,
			want: `5`,
		},
		{
			name:   "a byte order mark stays",
			disk:   "\ufeff{\"a\": 1}",
			before: `{"a":1}`, after: `{"a":2}`,
			want: "\ufeff{\"a\": 2}",
		},
		{
			name:   "keys with escapes are found",
			disk:   `{"\u0061/b": 1}`,
			before: `{"a/b":1}`, after: `{"a/b":2}`,
			want: `{"\u0061/b": 2}`,
		},
		{
			name:   "an empty file content takes the layout of the rendering",
			disk:   "{}",
			before: ``, after: "{\n\t\"a\": {\n\t\t\"b\": 1\n\t}\n}\n",
			want: "{\n\t\"a\": {\n\t\t\"b\": 1\n\t}\n}",
		},
		{
			name:   "a blank after takes everything of ours away",
			disk:   `{"mine": 0, "a": 1}`,
			before: `{"a":1}`, after: ` `,
			want: `{"mine": 0}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := mustChange(t, tt.disk, tt.before, tt.after)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
