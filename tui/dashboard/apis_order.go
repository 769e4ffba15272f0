package dashboard

import (
	"cmp"
	"slices"
	"strings"
)

// apiOrders are the orders of the paths of an API. The first is that in which
// requests are matched.
var apiOrders = []string{"path", "what a push does", "function", "who may"}

// sortings are the orders.
func (a *apisTab) sortings() []string { return apiOrders }

// sortBy puts the paths of each API into an order; the APIs stay as they are.
func (a *apisTab) sortBy(n int) {
	a.apiTable = *a.usual
	if n == 0 {
		return
	}
	a.rows, a.list = make([]apiRow, len(a.usual.rows)), make([]entry, len(a.usual.rows))
	for to, from := range a.usual.orders[n-1] {
		a.rows[to], a.list[to] = a.usual.rows[from], a.usual.list[from]
	}
}

// ordersOf are the orders but for the first: for each the indexes of the rows.
// They are worked out where files are read.
func ordersOf(rows []apiRow) [][]int {
	orders := make([][]int, 0, len(apiOrders)-1)
	for _, compare := range []func(a, b *apiRow) int{
		func(a, b *apiRow) int { return cmp.Compare(urgent(a.mark), urgent(b.mark)) },
		func(a, b *apiRow) int { return strings.Compare(a.function, b.function) },
		func(a, b *apiRow) int { return strings.Compare(a.access, b.access) },
	} {
		order := make([]int, len(rows))
		for i := range order {
			order[i] = i
		}
		for from := 0; from < len(rows); {
			to := from + 1
			for to < len(rows) && rows[to].of != nil {
				to++
			}
			slices.SortStableFunc(order[from+1:to], func(i, j int) int { return compare(&rows[i], &rows[j]) })
			from = to
		}
		orders = append(orders, order)
	}
	return orders
}

// urgent is how far up a mark stands among those that a push changes.
func urgent(m mark) int {
	return slices.Index([]mark{added, changed, gone, served, same, absent, unknown}, m)
}
