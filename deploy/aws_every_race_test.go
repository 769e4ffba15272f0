//go:build race

package deploy_test

const (
	everyCall    = 120
	everyHistory = 1000
	everyChange  = 6
)
