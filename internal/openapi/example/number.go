package example

import (
	"math/big"

	"gatewright/internal/cfn"
	"gatewright/internal/openapi"
	"gatewright/internal/openapi/judge"
)

// interval is where a number may lie; nil is no bound.
type interval struct {
	least, most       *big.Rat
	notLeast, notMost bool
	step              *big.Rat
}

func rat(n *cfn.Node) *big.Rat {
	if n == nil || n.Kind != cfn.Number {
		return nil
	}
	d, ok := judge.ParseDecimal(n.Text)
	if !ok {
		return nil
	}
	r, ok := d.Rat()
	if !ok {
		return nil
	}
	return r
}

func intervalOf(parts []*cfn.Node, whole bool) interval {
	var i interval
	if whole {
		i.step = big.NewRat(1, 1)
	}
	for _, part := range parts {
		i.from(rat(part.Get("minimum")), openapi.IsTrue(part.Get("exclusiveMinimum")))
		i.from(rat(part.Get("exclusiveMinimum")), true)
		i.to(rat(part.Get("maximum")), openapi.IsTrue(part.Get("exclusiveMaximum")))
		i.to(rat(part.Get("exclusiveMaximum")), true)
		if step := rat(part.Get("multipleOf")); step != nil && step.Sign() > 0 {
			i.step = common(i.step, step)
		}
	}
	return i
}

func (i *interval) from(bound *big.Rat, not bool) {
	if bound == nil {
		return
	}
	if i.least == nil || bound.Cmp(i.least) > 0 {
		i.least, i.notLeast = bound, not
	} else if bound.Cmp(i.least) == 0 {
		i.notLeast = i.notLeast || not
	}
}

func (i *interval) to(bound *big.Rat, not bool) {
	if bound == nil {
		return
	}
	if i.most == nil || bound.Cmp(i.most) < 0 {
		i.most, i.notMost = bound, not
	} else if bound.Cmp(i.most) == 0 {
		i.notMost = i.notMost || not
	}
}

// common returns the least number that is a multiple of both.
func common(a, b *big.Rat) *big.Rat {
	if a == nil {
		return b
	}
	x, y := new(big.Int).Mul(a.Num(), b.Denom()), new(big.Int).Mul(b.Num(), a.Denom())
	divisor := new(big.Int).GCD(nil, nil, x, y)
	product := new(big.Int).Mul(x, y)
	return new(big.Rat).SetFrac(product.Quo(product, divisor), new(big.Int).Mul(a.Denom(), b.Denom()))
}

// numbersOf returns numbers that may fit: the ones nearest to 0, then those nearest to the
// bounds.
func numbersOf(parts []*cfn.Node, whole bool, variant int) []*cfn.Node {
	i := intervalOf(parts, whole)
	step := i.step
	if step == nil {
		step = big.NewRat(1, 1)
	}
	starts := []*big.Rat{new(big.Rat)}
	if i.least != nil {
		starts = append(starts, i.least)
	}
	if i.most != nil {
		starts = append(starts, i.most)
	}
	if i.least != nil && i.most != nil {
		middle := new(big.Rat).Add(i.least, i.most)
		starts = append(starts, middle.Quo(middle, big.NewRat(2, 1)))
	}
	var numbers []*cfn.Node
	for _, start := range starts {
		if i.step != nil {
			start = multiple(start, i.step)
		}
		for _, n := range []int64{int64(variant), -int64(variant), int64(variant) + 1, -int64(variant) - 1} {
			number := new(big.Rat).Mul(step, big.NewRat(n, 1))
			if number.Add(number, start); i.has(number) {
				numbers = append(numbers, &cfn.Node{Kind: cfn.Number, Text: decimal(number)})
			}
		}
	}
	if len(numbers) == 0 {
		numbers = append(numbers, cfn.NumberNode(variant))
	}
	return numbers
}

func (i *interval) has(n *big.Rat) bool {
	if i.least != nil && (n.Cmp(i.least) < 0 || i.notLeast && n.Cmp(i.least) == 0) {
		return false
	}
	return i.most == nil || n.Cmp(i.most) < 0 || !i.notMost && n.Cmp(i.most) == 0
}

// multiple returns the multiple of a step that is not more than a number.
func multiple(n, step *big.Rat) *big.Rat {
	quotient := new(big.Rat).Quo(n, step)
	whole := new(big.Int).Div(quotient.Num(), quotient.Denom())
	return new(big.Rat).Mul(new(big.Rat).SetInt(whole), step)
}

// decimal writes a number of JSON.
func decimal(n *big.Rat) string {
	if n.IsInt() {
		return n.Num().String()
	}
	places, exact := n.FloatPrec()
	if !exact {
		places = 6
	}
	return n.FloatString(places)
}
