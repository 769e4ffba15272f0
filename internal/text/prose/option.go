package prose

// Option is one of several choices: its key, its name, and what to say about it. Disabled
// says why it cannot be chosen; "" if it can.
type Option struct {
	Key, Title, Detail string
	Disabled           string
}
