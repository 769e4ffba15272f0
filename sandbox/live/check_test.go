package live

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestAPathWithoutAPreflightAnswerIsNamed(t *testing.T) {
	t.Parallel()
	asked := make(chan string, 10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r.Method + " " + r.URL.Path
		if strings.HasSuffix(r.URL.Path, "/broken") {
			w.WriteHeader(http.StatusInternalServerError)
		}
	}))
	for path, want := range map[string]string{"/items": "/items", "/book/{isbn}/of/{author}": "/book/x/of/x", "/{proxy+}": "/x", "/": "/"} {
		if err := checkAnswer(context.Background(), server.URL, path); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		if got := <-asked; got != "OPTIONS "+want {
			t.Errorf("%s is requested as %s", path, got)
		}
	}
	if err := checkAnswer(context.Background(), server.URL, "/broken"); err == nil || !strings.Contains(err.Error(), "/broken answers 500") {
		t.Errorf("a failing path: %v", err)
	}
	server.Close()
	if err := checkAnswer(context.Background(), server.URL, "/items"); err == nil || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "does not answer") {
		t.Errorf("without a server: %v", err)
	}
}
