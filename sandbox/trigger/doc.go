// Package trigger calls functions at the times of their schedules, and makes the event that
// such a function gets.
package trigger
