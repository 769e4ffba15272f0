//go:build race

package deploy_test

const (
	everyCall      = 120
	everyAdoption  = 240
	everyHistory   = 1000
	everyDetaching = 12
	everyKill      = 60
	everyChange    = 6
)
