package openapi

// Contract returns the document as it is kept next to an API: as JSON, indented if that is not
// too large for a file of a project.
func (d *Document) Contract() []byte {
	if text := d.Root.JSON(); len(text) <= MaxText {
		return text
	}
	return append(d.Root.Minified(), '\n')
}
