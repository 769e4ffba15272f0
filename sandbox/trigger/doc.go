// Package trigger calls functions without a request: at the times of their schedules, for user
// pools, and with the changes of tables. It makes the events that such functions get.
package trigger
