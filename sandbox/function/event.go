package function

// The Kinds of an Event.
const (
	EventInstall = "install" // npm or pip gets packages
	EventBuild   = "build"   // the Go command builds the program
	EventStart   = "start"   // a worker is being started
	EventReady   = "ready"   // a worker waits for its first call
	EventChange  = "change"  // the source changed
	EventCrash   = "crash"   // a worker ended by itself, or could not start
	EventStopped = "stopped" // three starts failed: no more until the source changes
	EventInspect = "inspect" // a debugger can be attached; Text is its address, and the folder that runs
	EventWarning = "warning"
)

// Event is a message for the people who run a sandbox.
type Event struct{ Kind, Environment, Function, Text string }
