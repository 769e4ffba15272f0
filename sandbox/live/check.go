package live

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

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

// checkSource checks that the file which a handler names exists.
func checkSource(spec function.Spec) error {
	source := filepath.Join(spec.Folder, "src")
	handler := spec.Handler
	if handler == "" {
		handler = spec.Runtime.Handler()
	}
	if err := model.CheckHandler(handler); err != nil {
		outside := *err.(*model.Problem)
		outside.Of = model.Ref{Kind: model.KindFunction, Name: spec.Name}
		return &outside
	}
	module := strings.TrimSuffix(handler, filepath.Ext(handler))
	var candidates []string
	switch spec.Runtime {
	case model.NodeJS:
		for _, ending := range []string{".js", ".mjs", ".cjs", ""} {
			candidates = append(candidates, filepath.Join(source, filepath.FromSlash(module)+ending))
		}
	case model.Python:
		candidates = []string{filepath.Join(source, filepath.FromSlash(strings.ReplaceAll(module, ".", "/"))+".py")}
	default:
		names, _ := fs.Glob(os.DirFS(source), "*.go")
		for _, name := range names {
			candidates = append(candidates, filepath.Join(source, name))
		}
	}
	for _, name := range candidates {
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
			return nil
		}
	}
	return &model.Problem{
		Of:   model.Ref{Kind: model.KindFunction, Name: spec.Name},
		Text: "its source has no file for the handler " + phrase.Quote(handler),
		Fix:  "write it below " + phrase.Quote(filepath.Base(spec.Folder)+"/src"),
	}
}
