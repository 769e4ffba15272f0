package render

// AccessTests renders access.test.json.
func AccessTests(tests []string, form Form) []byte {
	w := newWriter(form)
	w.file("access-test")
	w.texts("tests", tests)
	return w.bytes()
}
