//go:build !race

package depth

const race = false
