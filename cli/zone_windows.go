package cli

import (
	"os"
	"strings"
	"time"
	// Windows has no files of time zones.
	_ "time/tzdata"
)

// useZone makes the variable TZ the zone of the times that are printed. Go does that itself,
// but not on Windows. A zone that is not known leaves the system's.
func useZone() {
	name, set := os.LookupEnv("TZ")
	if !set {
		return
	}
	if zone, err := time.LoadLocation(strings.TrimPrefix(name, ":")); err == nil {
		time.Local = zone
	}
}
