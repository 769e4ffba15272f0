//go:build race

package app_test

// It is odd, since every second dashboard is read-only.
const everyPlace = 11
