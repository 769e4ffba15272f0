//go:build race

package deploy_test

const (
	everyCall    = 30
	everyHistory = 12
	everyKill    = 12
)
