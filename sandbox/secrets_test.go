package sandbox

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"gatewright/sandbox/traffic"
	"gatewright/test/depth"
)

// Calls are kept as they came, so whoever reads them meanwhile, and every file, is asked for secrets
// that were planted in all parts of many requests at once.
func TestNoSecretOfManyRequestsIsSeenOrWritten(t *testing.T) {
	t.Parallel()
	s := openSite(t, Options{})
	s.write(`exports.handler = async (e) => ({ statusCode: e.path.endsWith("/fails") ? 500 : 200,
		headers: { "Set-Cookie": "id=" + (e.headers["X-Cookie"] ?? "none") }, body: JSON.stringify({ again: e.body, of: e.headers.Cookie }) })`)
	client := s.connect()
	clients, each := depth.Rounds(4, 16, 16), 24
	secret := func(kind string, n int) string { return fmt.Sprintf("planted-%s-%06d", kind, n) }
	kinds := []string{"query", "cookie", "bearer", "json", "form", "part", "key"}
	var seen bytes.Buffer
	followed := make(chan error, 1)
	got := 0
	go func() {
		followed <- client.Requests(t.Context(), traffic.Query{}, true, func(c traffic.Call) error {
			line, _ := json.Marshal(c)
			seen.Write(line)
			if got++; got == clients*each {
				return io.EOF
			}
			return nil
		})
	}()
	var sending sync.WaitGroup
	for c := range clients {
		sending.Go(func() {
			for i := range each {
				n := c*each + i
				body, contentType := fmt.Sprintf(`{"title":%q,"password":%q}`, strings.Repeat("Emma ", i*i*60), secret("json", n)), "application/json"
				switch i % 3 {
				case 1:
					body, contentType = "a=1&secret="+secret("form", n), "application/x-www-form-urlencoded"
				case 2:
					var form bytes.Buffer
					w := multipart.NewWriter(&form)
					_ = w.WriteField("password", secret("part", n))
					_ = w.Close()
					body, contentType = form.String(), w.FormDataContentType()
				}
				path := "/items"
				if i%5 == 0 {
					path += "/fails"
				}
				r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.Address()+"/"+testAPI+"/dev"+path+"?token="+secret("query", n), strings.NewReader(body))
				if err != nil {
					t.Error(err)
					return
				}
				r.Header = http.Header{
					"Content-Type": {contentType}, "Cookie": {"id=" + secret("cookie", n)}, "X-Cookie": {secret("cookie", n)},
					"Authorization": {"Bearer " + secret("bearer", n)}, "X-Api-Key": {secret("key", n)},
				}
				answer, err := http.DefaultClient.Do(r)
				if err != nil {
					t.Error(err)
					return
				}
				_, _ = io.Copy(io.Discard, answer.Body)
				_ = answer.Body.Close()
			}
		})
	}
	sending.Wait()
	if err := <-followed; err != io.EOF {
		t.Fatalf("the requests are followed until %v", err)
	}
	for n := range clients * each {
		d, err := client.Request(t.Context(), uint64(n+1))
		must(t, err)
		text, _ := json.Marshal(d)
		seen.Write(text)
		if d.Kind == traffic.Request && len(d.Left) == 0 {
			t.Errorf("request %d is said to be kept with its secrets", n+1)
		}
	}
	check := func(where string, text []byte) {
		for _, kind := range kinds {
			if at := bytes.Index(text, []byte("planted-"+kind)); at >= 0 {
				t.Errorf("%s has a secret: ...%s", where, text[max(0, at-60):at+30])
			}
		}
	}
	check("what was read", seen.Bytes())
	s.end()
	must(t, filepath.WalkDir(s.state, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		check(path, text)
		return err
	}))
}
