// Package cloudlog reads what functions wrote to Amazon CloudWatch Logs, and follows it. Its
// lines are those of the sandbox, so that the same code shows both.
//
// A function has a log group. In it, each worker of the function has a log stream, and works at
// one call at a time (https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs.html).
// FilterLogEvents reads the events of all streams of a group in the order of their times
// (https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_FilterLogEvents.html);
// what a function writes is there after some seconds only, and not in its order.
package cloudlog
