package request

// Saved is a saved request.
type Saved struct{ Name string }
