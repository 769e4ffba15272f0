package deploy_test

import "gatewright/test/depth"

// everyCall is the distance between the calls of a push at which histories differ, and so are the
// others for histories and changes of their kinds.
var (
	everyCall    = depth.Rounds(120, 24, 3)
	everyHistory = depth.Rounds(1000, 8, 1)
	everyChange  = depth.Rounds(6, 3, 1)
)
