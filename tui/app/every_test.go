package app_test

import "gatewright/test/depth"

// everyPlace is the distance between the places that tests of all places visit. It is odd, since
// every second dashboard is read-only.
var everyPlace = depth.Rounds(11, 5, 1)
