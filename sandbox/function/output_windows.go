package function

// read reads the output until no process can write any more.
func (o *output) read() {
	defer close(o.done)
	for {
		buffer := make([]byte, readSize)
		n, err := o.pipe.Read(buffer)
		o.mu.Lock()
		o.split(buffer[:n])
		if err != nil {
			o.finish()
			o.mu.Unlock()
			o.pipe.Close()
			return
		}
		o.mu.Unlock()
	}
}

// drain does nothing on Windows, where a pipe cannot be read without blocking: a line
// may come after the answer. Entries of the bootstraps name their request.
func (o *output) drain() {}
