// Package schedule is the grammar of schedules, the rate and cron expressions of Amazon EventBridge, and the
// times that an expression names.
//
// Its rules are those of the EventBridge User Guide:
// https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-scheduled-rule-pattern.html. All times are UTC,
// to the minute.
//
// The reader is our own: EventBridge wants a year, exactly one ?, and 1 for Sunday. robfig/cron, gronx and
// cronexpr accept what it refuses, so the check, which is most of a parser, would be ours anyway.
package schedule
