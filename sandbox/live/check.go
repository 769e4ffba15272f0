package live

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"gatewright/internal/source"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/sandbox/function"
)

// oneCheck is how long the answer to one check may take.
const oneCheck = 10 * time.Second

// check checks that each path answers a CORS preflight, which calls no function, and
// that each function has the source file that its handler names.
func (l *live) check(ctx context.Context) error {
	var wrong []error
	for _, s := range l.serving {
		for _, spec := range s.Functions {
			// A script may make the source.
			if err := checkSource(spec); err != nil && spec.Build == nil {
				wrong = append(wrong, err)
			}
		}
		for _, endpoint := range s.record.APIs {
			api := s.backend.API(endpoint.API)
			for _, p := range api.Paths {
				if s.backend.Function(p.Function) == nil {
					wrong = append(wrong, fmt.Errorf("path %s of the API %s names the function %s, which does not exist; add "+
						"it with: gatewright add function %s", phrase.QuotePath(p.Name), phrase.Quote(endpoint.API),
						phrase.Quote(p.Function), model.ShellWord(p.Function)))
					continue
				}
				if api.CORS.Handler {
					continue
				}
				if err := checkAnswer(ctx, endpoint.URL, p.Name); err != nil {
					wrong = append(wrong, err)
				}
			}
		}
	}
	switch len(wrong) {
	case 0:
		return nil
	case 1:
		return wrong[0]
	}
	return fmt.Errorf("%w (and %d more)", wrong[0], len(wrong)-1)
}

// checkAnswer sends a CORS preflight to a path, with a value for each path parameter.
func checkAnswer(ctx context.Context, endpoint, path string) error {
	ctx, cancel := context.WithTimeout(ctx, oneCheck)
	defer cancel()
	if path == access.ProxyPath {
		path = "/x"
	}
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		if strings.HasPrefix(segment, "{") {
			segments[i] = "x"
		}
	}
	path = strings.Join(segments, "/")
	request, err := http.NewRequestWithContext(ctx, http.MethodOptions, endpoint+path, nil)
	if err != nil {
		return err
	}
	response, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(request)
	if err != nil {
		return fmt.Errorf("%s does not answer: %w", phrase.Quote(endpoint+path), errors.Unwrap(err))
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s to the preflight", phrase.Quote(endpoint+path), response.Status)
	}
	return nil
}

// checkSource checks that the file which a handler names exists. A layer may have it.
func checkSource(spec function.Spec) error {
	_, err := source.FindHandler(os.DirFS(spec.Folder), spec.Runtime, spec.Handler)
	if problem, ok := errors.AsType[*model.Problem](err); ok && (len(spec.Layers) == 0 || problem.Field == "") {
		wrong := *problem
		wrong.Of = model.Ref{Kind: model.KindFunction, Name: spec.Name}
		return &wrong
	}
	return nil
}
