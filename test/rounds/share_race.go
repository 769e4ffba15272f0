//go:build race

package rounds

// share is odd, so that of cases that come in twos, in fours or in fourteens all are met.
const share = 9
