package stack

import "strings"

// Status is the status of a stack, see
// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/view-stack-events.html
type Status string

// The statuses that a push tells apart.
const (
	Review               Status = "REVIEW_IN_PROGRESS"
	CreateComplete       Status = "CREATE_COMPLETE"
	CreateFailed         Status = "CREATE_FAILED"
	RollbackComplete     Status = "ROLLBACK_COMPLETE"
	RollbackFailed       Status = "ROLLBACK_FAILED"
	UpdateComplete       Status = "UPDATE_COMPLETE"
	UpdateFailed         Status = "UPDATE_FAILED"
	UpdateRolledBack     Status = "UPDATE_ROLLBACK_COMPLETE"
	UpdateRollbackFailed Status = "UPDATE_ROLLBACK_FAILED"
	Imported             Status = "IMPORT_COMPLETE"
	ImportRolledBack     Status = "IMPORT_ROLLBACK_COMPLETE"
	DeleteComplete       Status = "DELETE_COMPLETE"
	DeleteFailed         Status = "DELETE_FAILED"
	creating             Status = "CREATE_IN_PROGRESS"
	updating             Status = "UPDATE_IN_PROGRESS"
	deleting             Status = "DELETE_IN_PROGRESS"
	importing            Status = "IMPORT_IN_PROGRESS"
)

// Busy reports whether an operation goes on. A stack that was never made, and waits for its change set, is not busy.
func (s Status) Busy() bool {
	return strings.HasSuffix(string(s), "_IN_PROGRESS") && s != Review
}

// Cancellable reports whether the operation can be cancelled.
func (s Status) Cancellable() bool { return s == updating }

// Creating and Deleting report whether the stack is being made or removed.
func (s Status) Creating() bool { return s == creating }

// Deleting reports whether the stack is being removed.
func (s Status) Deleting() bool { return s == deleting }

// RollingBack reports whether what an operation did is being undone.
func (s Status) RollingBack() bool { return s.Busy() && strings.Contains(string(s), "ROLLBACK") }

// Unmade reports whether the stack was never made: it can be deleted, and nothing else.
func (s Status) Unmade() bool {
	return s == RollbackComplete || s == RollbackFailed || s == CreateFailed
}

// Settled reports whether the stack is as its template says, and can be updated.
func (s Status) Settled() bool {
	switch s {
	case CreateComplete, UpdateComplete, UpdateRolledBack, Imported, ImportRolledBack:
		return true
	}
	return false
}

// Succeeded reports whether the last operation did what it should.
func (s Status) Succeeded() bool {
	return s == CreateComplete || s == UpdateComplete || s == DeleteComplete || s == Imported
}

// Words say what goes on or happened, for people.
func (s Status) Words() string {
	switch {
	case s == Review:
		return "waits for its first push"
	case s.RollingBack():
		return "is rolling back"
	case s.Deleting():
		return "is being removed"
	case s == importing:
		return "is adopting existing resources"
	case s.Busy():
		return "is being pushed"
	case s == Imported:
		return "has adopted existing resources, and waits for the rest of the push"
	case s == ImportRolledBack:
		return "could not adopt existing resources, which are unchanged"
	case s.Unmade():
		return "could not be made"
	case s == UpdateRolledBack:
		return "is as it was before the last push, which failed"
	case s == UpdateRollbackFailed:
		return "could not roll back"
	case s == DeleteFailed:
		return "could not be removed"
	case s == DeleteComplete:
		return "is removed"
	}
	return "is pushed"
}
