package prose

// Option is one thing to choose: what it is kept as, what it is called, and what there
// is to say of it. A disabled one is shown with its reason.
type Option struct {
	Key, Title, Detail string
	Disabled           string
}
