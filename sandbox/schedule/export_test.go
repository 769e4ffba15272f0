package schedule

// Following is when an entry comes after a time of it that has come.
var Following = Schedule.following
