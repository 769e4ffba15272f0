package cloud

import (
	"encoding/json"
	"net/http"
	"time"
)

// Use is a use by a function of a service that the Server answers or refuses itself. The others tell
// of their uses themselves.
type Use struct {
	Caller Caller
	// Trace is the trace header of the request.
	Trace string
	Began time.Time
	// Resources are what access of a function calls what is used, such as parameter/NAME, or the word of
	// the service. Action is that of the Request.
	Resources []string
	Action    string
	// Status and Answer are the beginning of the answer. Why is set for a service that is not served.
	Status int
	Answer []byte
	Why    string
}

// useWriter tells of a use before the function gets its answer.
type useWriter struct {
	http.ResponseWriter
	use  Use
	tell func(Use)
}

// watch returns the writer for the answer of a request that the Server answers itself.
func (s *Server) watch(w http.ResponseWriter, r *http.Request, c Caller, wanted Request, body []byte) *useWriter {
	u := &useWriter{ResponseWriter: w}
	if c == (Caller{}) || s.options.Used == nil {
		return u
	}
	u.tell = s.options.Used
	u.use = Use{
		Caller: c, Trace: r.Header.Get("X-Amzn-Trace-Id"), Began: time.Now(), Resources: resourcesOf(wanted, body),
		Action: wanted.Action,
	}
	return u
}

func (u *useWriter) WriteHeader(status int) {
	u.use.Status = status
	u.ResponseWriter.WriteHeader(status)
}

func (u *useWriter) Write(p []byte) (int, error) {
	if tell := u.tell; tell != nil {
		u.tell = nil
		u.use.Answer = p
		tell(u.use)
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
