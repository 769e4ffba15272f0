package schedule

import "time"

// Next returns the first time after a given one that the schedule names, in UTC: for a rate
// one interval later, for cron the next minute that its fields allow.
func (s Schedule) Next(after time.Time) (time.Time, bool) { return s.NextAfter(after, after) }
