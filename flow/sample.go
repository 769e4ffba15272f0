package flow

// Sample are answers to every question: a small bookshop with a list that guests
// may read, an item by its number, and orders that only a group may change.
func Sample() Answers {
	function := func(name, template string) FunctionAnswer {
		return FunctionAnswer{Name: name, Runtime: "nodejs", Template: template, Advanced: No}
	}
	books := function("books", "crud")
	books.Table = TableAnswer{Name: NewTable, New: "books", Partition: "isbn", PartitionKey: "string", SortKey: "string"}
	everything := []string{"create", "read", "update", "delete"}
	return Answers{
		Service: REST, Label: "bookshop", Project: ProjectAnswer{Name: "bookshop"},
		Paths: []PathAnswer{
			{
				Path: "/books", Source: NewFunction, Function: books, Restrict: Yes, Who: ForAll, NewGroup: "Sellers", Another: Yes,
				Actions: map[string][]string{"auth": {"read"}, "guest": {"read"}, "group Sellers": everything},
			},
			{
				Path: "/orders", Source: NewFunction, Function: function("orders", "express"), Restrict: Yes, Who: ForBoth, NewGroup: "Sellers", Another: Yes,
				Actions: map[string][]string{"auth": {"create", "read"}, "group Sellers": everything},
			},
			{Path: "/health", Source: NewFunction, Function: function("health", "plain"), Restrict: No, Another: No},
		},
	}
}
