package traffic

// seen is a call that has no secrets.
type seen Detail

func (*seen) CleanCall(*Call)   {}
func (s *seen) Clean(d *Detail) { c := d.Call; *d = Detail(*s); d.Call = c }

// Add keeps a call that has no secrets, and counts it.
func (s *Store) Add(d Detail) {
	kept := seen(d)
	s.AddRaw(d.Call, Ended{}, sizeOf(&d), &kept)
}

// sizeOf is about how many bytes the detail of a call takes, without the Call itself.
func sizeOf(d *Detail) int {
	size := len(d.Body) + len(d.Event) + len(d.Result) + len(d.AnswerBody)
	for _, headers := range [][]Header{d.Headers, d.AnswerHeaders} {
		for _, h := range headers {
			size += len(h.Name) + len(h.Value) + 32
		}
	}
	for _, text := range d.Left {
		size += len(text) + 16
	}
	return size
}
