//go:build race

package deploy_test

const (
	everyCall = 12
	everyKill = 4
)
