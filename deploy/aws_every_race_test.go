//go:build race

package deploy_test

const (
	everyCall    = 12
	everyHistory = 4
	everyKill    = 4
)
