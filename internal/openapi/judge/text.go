package judge

import (
	"unicode/utf8"

	"gatewright/internal/cfn"
	"gatewright/internal/text/phrase"
)

// counted makes the rule of a value whose count is refused. count is not ok for a value of
// another type, which holds.
func (k *reading) counted(count func(r *Run, v *cfn.Node) (int, bool), least bool, what string) rule {
	number, ok := k.bound()
	if !ok {
		return nil
	}
	limit, at := number.count(), k.value
	return func(r *Run, v *cfn.Node) {
		n, ok := count(r, v)
		switch {
		case !ok:
		case least && n < limit:
			r.fault(v, at, "has %s and not at least %s", phrase.Count(n, what), shown(at))
		case !least && n > limit:
			r.fault(v, at, "has %s and not at most %s", phrase.Count(n, what), shown(at))
		}
	}
}

// characters counts those of a text: code points, as JSON Schema does.
func characters(r *Run, v *cfn.Node) (int, bool) {
	if v.Kind != cfn.String || !r.spend(1+len(v.Text)/textStep) {
		return 0, false
	}
	return utf8.RuneCountInString(v.Text), true
}

func readMinLength(k *reading) rule { return k.counted(characters, true, "character") }
func readMaxLength(k *reading) rule { return k.counted(characters, false, "character") }

func readPattern(k *reading) rule {
	if k.value.Kind != cfn.String {
		return nil
	}
	expression := k.pattern(k.value, k.value.Text)
	if expression == nil {
		return nil
	}
	at := k.value
	return func(r *Run, v *cfn.Node) {
		if v.Kind == cfn.String && r.spend(expression.cost(v.Text)) && !expression.MatchString(v.Text) {
			r.fault(v, at, "does not match the pattern %s", phrase.Quote(at.Text))
		}
	}
}
