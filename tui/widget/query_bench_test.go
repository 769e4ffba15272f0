package widget_test

import (
	"fmt"
	"testing"
)

// BenchmarkAFilter measures a letter of a filter and the view after it, of 200 APIs with 50
// paths each: words that are written, that are like the rows, and that are neither; and all
// letters anew, as after a paste.
func BenchmarkAFilter(b *testing.B) {
	var rows []path
	for i := range 200 {
		rows = append(rows, head(fmt.Sprintf("catalogue-%d", i)))
		for j := range 50 {
			name := fmt.Sprintf("/tenants/{tenant}/reviews%d/items-%d", i, j)
			rows = append(rows, path{id: fmt.Sprint(i, name), name: name, note: "function catalogue-reviews open to everybody", level: 1})
		}
	}
	for _, word := range []string{"reviews77", "ttrvws7", "qqqqqq", "tenant ctlgrvws 7 items"} {
		b.Run("letter by letter/"+word, func(b *testing.B) {
			letters := 0
			for b.Loop() {
				b.StopTimer()
				table := grouped(rows...)
				typed(&testing.T{}, table, "/")
				table.Draw(dark, 120, 40, true)
				b.StartTimer()
				for _, letter := range word {
					key := string(letter)
					if key == " " {
						key = "space"
					}
					table.Type(press(key))
					table.Draw(dark, 120, 40, true)
					letters++
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(letters), "µs/key")
		})
		b.Run("the last letter/"+word, func(b *testing.B) {
			table := grouped(rows...)
			typed(&testing.T{}, table, "/")
			for _, letter := range word {
				table.Type(press(map[string]string{" ": "space"}[string(letter)] + map[bool]string{true: string(letter)}[letter != ' ']))
			}
			for b.Loop() {
				table.Type(press("backspace"))
				table.Type(press("s"))
				table.Draw(dark, 120, 40, true)
			}
		})
	}
}
