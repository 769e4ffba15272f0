//go:build race

package deploy_test

const (
	everyCall      = 40
	everyAdoption  = 60
	everyHistory   = 12
	everyDetaching = 5
	everyKill      = 20
)
