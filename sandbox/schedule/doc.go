// Package schedule is when functions run by themselves: the cloud's rate and
// cron expressions, the clock that watches them, and the event that a function
// gets.
//
// The rules are those of the cloud's event bus ("Cron expressions reference" and
// "Rate expressions reference" of its user guide). All times are UTC, to the
// minute.
package schedule
