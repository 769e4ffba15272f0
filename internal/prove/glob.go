package prove

// glob is the rest of a pattern of IAM that the path of a request is matched with, without
// the slash at its beginning: * is any text, ? any one character.
type glob struct {
	text string
	// starts are the positions at which the path begins.
	starts []int
}

// begin returns the glob for what follows a fixed text; ok is false if nothing can match.
func begin(pattern, fixed string) (g glob, ok bool) {
	g = glob{text: pattern, starts: skip(pattern, []int{0})}
	for i := range len(fixed) {
		g.starts = g.next(g.starts, fixed[i])
	}
	return g, len(g.starts) > 0
}

// skip adds the positions after each * that is reached. Positions before the last * that is
// reached match nothing more than it does, so they are left out.
func skip(pattern string, at []int) []int {
	var all []int
	for _, i := range at {
		for {
			if len(all) > 0 && all[len(all)-1] >= i {
				break
			}
			all = append(all, i)
			if i == len(pattern) || pattern[i] != '*' {
				break
			}
			i++
		}
	}
	for last := len(all) - 1; last >= 0; last-- {
		if all[last] < len(pattern) && pattern[all[last]] == '*' {
			return all[last:]
		}
	}
	return all
}

// next reads one character. The positions are in ascending order.
func (g *glob) next(from []int, c byte) []int {
	var to []int
	for _, i := range from {
		switch {
		case i == len(g.text):
		case g.text[i] == '*':
			to = append(to, i)
		case g.text[i] == '?' || g.text[i] == c:
			to = append(to, i+1)
		}
	}
	return skip(g.text, to)
}

// ends reports whether the pattern matches a path that ends here.
func (g *glob) ends(at []int) bool { return len(at) > 0 && at[len(at)-1] == len(g.text) }

// sticks reports whether the pattern matches however the path goes on.
func (g *glob) sticks(at []int) bool {
	return g.ends(at) && len(at) > 1 && at[0] == len(g.text)-1 && g.text[at[0]] == '*'
}

// letters adds the characters that matter next to a set.
func (g *glob) letters(at []int, set map[byte]bool) {
	for _, i := range at {
		if i < len(g.text) && g.text[i] != '*' && g.text[i] != '?' {
			set[g.text[i]] = true
		}
	}
}
