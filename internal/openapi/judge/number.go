package judge

import (
	"gatewright/internal/cfn"
	"gatewright/internal/openapi"
)

// bound returns the number that a keyword has; not ok if it has none.
func (k *reading) bound() (Decimal, bool) {
	if k.value.Kind != cfn.Number {
		return Decimal{}, false
	}
	return ParseDecimal(k.value.Text)
}

// limitOf reads the limit of a number, which is refused beyond it: on the side -1 or 1. The limit itself is
// refused too if another keyword is true, as in OpenAPI 2.0 and 3.0, or "".
func limitOf(side int, exclusive string) func(*reading) rule {
	return func(k *reading) rule {
		limit, ok := k.bound()
		if !ok {
			return nil
		}
		at, itself := k.value, exclusive == "" || openapi.IsTrue(k.node.Get(exclusive))
		text := map[int]string{-1: "is less than %s", 1: "is more than %s"}[side]
		if itself {
			text = map[int]string{-1: "is not more than %s", 1: "is not less than %s"}[side]
		}
		return func(r *Run, v *cfn.Node) {
			if v.Kind != cfn.Number || !r.spend(len(v.Text)/textStep) {
				return
			}
			if number, ok := ParseDecimal(v.Text); ok {
				if order := number.Compare(limit) * side; order > 0 || itself && order == 0 {
					r.fault(v, at, text, shown(at))
				}
			}
		}
	}
}

func readMultipleOf(k *reading) rule {
	limit, ok := k.bound()
	if !ok || limit.sign() <= 0 {
		return nil
	}
	divisor, ok := limit.Rat()
	if !ok {
		k.omit(k.value, "the number has too many places to divide by it")
		return nil
	}
	at := k.value
	return func(r *Run, v *cfn.Node) {
		if v.Kind != cfn.Number || !r.spend(1+len(v.Text)/textStep) {
			return
		}
		number, ok := ParseDecimal(v.Text)
		if !ok {
			return
		}
		dividend, ok := number.Rat()
		if !ok {
			r.fault(v, at, "has too many places to say whether it is a multiple of %s", shown(at))
			return
		}
		// A division takes longer the more places there are.
		if r.spend(len(number.digits)) && !dividend.Quo(dividend, divisor).IsInt() {
			r.fault(v, at, "is not a multiple of %s", shown(at))
		}
	}
}
