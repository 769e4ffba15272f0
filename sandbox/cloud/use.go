package cloud

import (
	"encoding/json"
	"net/http"
	"time"

	"gatewright/sandbox/function"
)

// useWriter reports a use before the function gets its answer.
type useWriter struct {
	http.ResponseWriter
	use    function.Told
	status int
	tell   func(u function.Told, status int, answer []byte)
}

// watch returns the writer for the answer of a request that the Server answers itself.
func (s *Server) watch(w http.ResponseWriter, r *http.Request, c Caller, wanted Request, body []byte) *useWriter {
	u := &useWriter{ResponseWriter: w}
	if c != (Caller{}) {
		u.tell = s.options.Used
		u.use = function.Told{
			Environment: c.Environment, Function: c.Function, Trace: r.Header.Get(function.TraceHeader), Began: time.Now(),
			Resources: resourcesOf(wanted, body), Operation: wanted.Action,
		}
	}
	return u
}

func (u *useWriter) WriteHeader(status int) {
	u.status = status
	u.ResponseWriter.WriteHeader(status)
}

func (u *useWriter) Write(p []byte) (int, error) {
	if tell := u.tell; tell != nil {
		u.tell = nil
		tell(u.use, u.status, p)
	}
	return u.ResponseWriter.Write(p)
}

// resourcesOf are what access of a function calls what a request is about.
func resourcesOf(wanted Request, body []byte) []string {
	var input struct {
		Name, Path, SecretID string
		Names                []string
	}
	// What is wrong with the body, the answer says.
	_ = json.Unmarshal(body, &input)
	var names []string
	switch wanted.Service {
	case "ssm":
		names = input.Names
		if name := firstOf(input.Name, input.Path); name != "" {
			names = append(names, name)
		}
		for i, name := range names {
			names[i] = "parameter/" + parameterName(name)
		}
	case "secretsmanager":
		if input.SecretID != "" {
			names = []string{"secret/" + secretName(input.SecretID)}
		}
	}
	if len(names) == 0 {
		return []string{wanted.Service}
	}
	return names
}
