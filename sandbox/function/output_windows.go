package function

// read takes what the worker writes until nobody can write any more.
func (o *output) read() {
	defer close(o.done)
	for {
		buffer := make([]byte, readSize)
		n, err := o.pipe.Read(buffer)
		o.mu.Lock()
		o.take(buffer[:n])
		if err != nil {
			o.finish()
			o.mu.Unlock()
			o.pipe.Close()
			return
		}
		o.mu.Unlock()
	}
}

// drain does nothing here: the system does not say what is in a pipe, so a line
// may come behind the answer. Entries of the bootstraps name their request.
func (o *output) drain() {}
