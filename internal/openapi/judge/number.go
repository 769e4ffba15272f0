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

// limit makes the rule of a number that is refused if its order to the limit is such.
func (k *reading) limit(limit Decimal, refused func(order int) bool, text string) rule {
	at := k.value
	return func(r *Run, v *cfn.Node) {
		if v.Kind != cfn.Number || !r.spend(len(v.Text)/textStep) {
			return
		}
		if number, ok := ParseDecimal(v.Text); ok && refused(number.Compare(limit)) {
			r.fault(v, at, text, shown(at))
		}
	}
}

// The two texts that say of a limit that it is refused itself, or not.
const (
	lessThan, notMore = "is less than %s", "is not more than %s"
	moreThan, notLess = "is more than %s", "is not less than %s"
)

func below(order int) bool      { return order < 0 }
func notAbove(order int) bool   { return order <= 0 }
func above(order int) bool      { return order > 0 }
func notBeneath(order int) bool { return order >= 0 }

// readMinimum reads minimum, and exclusiveMinimum if it is true or false, as in OpenAPI 2.0
// and 3.0.
func readMinimum(k *reading) rule {
	limit, ok := k.bound()
	switch {
	case !ok:
		return nil
	case openapi.IsTrue(k.node.Get("exclusiveMinimum")):
		return k.limit(limit, notAbove, notMore)
	}
	return k.limit(limit, below, lessThan)
}

func readMaximum(k *reading) rule {
	limit, ok := k.bound()
	switch {
	case !ok:
		return nil
	case openapi.IsTrue(k.node.Get("exclusiveMaximum")):
		return k.limit(limit, notBeneath, notLess)
	}
	return k.limit(limit, above, moreThan)
}

func readExclusiveMinimum(k *reading) rule {
	if limit, ok := k.bound(); ok {
		return k.limit(limit, notAbove, notMore)
	}
	return nil
}

func readExclusiveMaximum(k *reading) rule {
	if limit, ok := k.bound(); ok {
		return k.limit(limit, notBeneath, notLess)
	}
	return nil
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
			r.fault(v, at, "is no multiple of %s", shown(at))
		}
	}
}
