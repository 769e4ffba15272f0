package registry_test

import (
	"bytes"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatewright/test/registry"
)

// got is an answer.
type got struct {
	status int
	header http.Header
	body   []byte
	json   map[string]any
}

// get sends a request with a header, and reads the answer.
func get(t *testing.T, address, name, value string) got {
	t.Helper()
	request, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	if name != "" {
		request.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	g := got{status: response.StatusCode, header: response.Header}
	if g.body, err = io.ReadAll(response.Body); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(response.Header.Get("Content-Type"), "json") {
		if err := json.Unmarshal(g.body, &g.json); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

// in returns what lies in a value, one name after another.
func in(value any, names ...string) any {
	for _, name := range names {
		inside, _ := value.(map[string]any)
		value = inside[name]
	}
	return value
}

func TestADescriptionLeadsToThePackage(t *testing.T) {
	t.Parallel()
	s := registry.Start(t)
	for _, path := range []string{"/@shop%2fscoped", "/@shop/scoped"} {
		g := get(t, s.URL+path, "", "")
		if g.status != http.StatusOK || in(g.json, "dist-tags", "latest") != "1.1.0" || in(g.json, "time", "1.1.0") != "2024-01-01T00:00:00Z" {
			t.Errorf("%s: it is %d %s", path, g.status, g.body)
		}
		address, _ := in(g.json, "versions", "1.1.0", "dist", "tarball").(string)
		packed := get(t, address, "", "")
		sum := sha512.Sum512(packed.body)
		if want := "sha512-" + base64.StdEncoding.EncodeToString(sum[:]); packed.status != http.StatusOK || in(g.json, "versions", "1.1.0", "dist", "integrity") != want {
			t.Errorf("%s: %s is %d with the sum %s", path, address, packed.status, want)
		}
	}
	if files := s.Delivered(); !slices.Equal(files, []string{"scoped-1.1.0.tgz", "scoped-1.1.0.tgz"}) {
		t.Errorf("delivered are %q", files)
	}
}

func TestTheShortDescriptionHasWhatAnInstallationNeeds(t *testing.T) {
	t.Parallel()
	s := registry.Start(t)
	g := get(t, s.URL+"/right", "Accept", "application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8, */*")
	version, _ := in(g.json, "versions", "3.0.0").(map[string]any)
	if g.header.Get("Content-Type") != "application/vnd.npm.install-v1+json" || in(version, "dependencies", "left") != "^1.0.0" ||
		in(version, "bin", "right") != "bin/right.js" || version["files"] != nil || g.json["time"] != nil || g.json["modified"] == nil {
		t.Errorf("it is %s", g.body)
	}
	scripted := get(t, s.URL+"/scripted", "Accept", "application/vnd.npm.install-v1+json").json
	if version := in(scripted, "versions", "1.0.0"); in(version, "hasInstallScript") != true || in(version, "scripts") != nil {
		t.Errorf("it is %v", scripted)
	}
	if tags := in(get(t, s.URL+"/left", "", "").json, "dist-tags"); in(tags, "latest") != "2.0.0" || in(tags, "next") != "3.0.0-beta.1" {
		t.Errorf("the tags are %v", tags)
	}
	for path, want := range map[string]string{"/left/next": "3.0.0-beta.1", "/left/1.0.0": "1.0.0", "/@shop%2fscoped/latest": "1.1.0"} {
		if g := get(t, s.URL+path, "", ""); g.json["version"] != want {
			t.Errorf("%s is %s", path, g.body)
		}
	}
}

func TestWhatAClientHasIsNotSentAgain(t *testing.T) {
	t.Parallel()
	s := registry.Start(t)
	for _, path := range []string{"/left", "/left/-/left-1.0.0.tgz", "/simple/left/"} {
		first := get(t, s.URL+path, "", "")
		second := get(t, s.URL+path, "If-None-Match", first.header.Get("ETag"))
		if first.status != http.StatusOK || second.status != http.StatusNotModified || len(second.body) > 0 {
			t.Errorf("%s is answered %d, then %d with %d bytes", path, first.status, second.status, len(second.body))
		}
	}
}

func TestOnlyPackagesAreServed(t *testing.T) {
	t.Parallel()
	s := registry.Start(t)
	for _, path := range []string{
		"/", "/express", "/left/9.9.9", "/left/-/left-9.9.9.tgz", "/left/-/right-3.0.0.tgz", "/@shop%2fother", "/@shop", "/left/-/..%2fregistry.go", "/%2e%2e/-/shelf.txtar",
		"/simple/none/", "/files/none.whl", "/files/source-1.0.tar.gz.metadata", "/-/v1/search?text=left",
	} {
		if g := get(t, s.URL+path, "", ""); g.status != http.StatusNotFound || g.json["error"] != "Not found" {
			t.Errorf("%s is answered %d %s", path, g.status, g.body)
		}
	}
	response, err := http.Post(s.URL+"/left", "application/json", strings.NewReader("{}"))
	if err != nil || response.StatusCode != http.StatusNotFound {
		t.Errorf("a package is published: %v %v", response, err)
	}
}

func TestTheIndexOfPythonHasBothForms(t *testing.T) {
	t.Parallel()
	s := registry.Start(t)
	page := get(t, s.URL+"/simple/Right.Hand", "Accept", "text/html")
	file := string(page.body)
	if !strings.Contains(file, `data-requires-python="&gt;=3.8"`) || !strings.Contains(file, ">right_hand-3.0-py3-none-any.whl</a>") {
		t.Errorf("the page is %s", file)
	}
	g := get(t, s.Index+"machine/", "Accept", "application/vnd.pypi.simple.v1+json, text/html; q=0.1")
	files, _ := g.json["files"].([]any)
	if len(files) != 2 || g.json["name"] != "machine" || in(g.json, "meta", "api-version") != "1.1" {
		t.Fatalf("it is %s", g.body)
	}
	address, _ := in(files[1], "url").(string)
	whole := get(t, s.URL+address, "", "")
	metadata := get(t, s.URL+address+".metadata", "", "")
	for name, test := range map[string]struct {
		body []byte
		sum  any
	}{
		"wheel": {whole.body, in(files[1], "hashes", "sha256")}, "metadata": {metadata.body, in(files[1], "core-metadata", "sha256")},
	} {
		sum := sha256.Sum256(test.body)
		if len(test.body) == 0 || test.sum != hex.EncodeToString(sum[:]) || !strings.Contains(file, "#sha256=") {
			t.Errorf("%s: its sum is %v", name, test.sum)
		}
	}
	if g := get(t, s.Index, "Accept", "application/vnd.pypi.simple.v1+html"); !strings.Contains(string(g.body), `<a href="/simple/right-hand/">right-hand</a>`) ||
		g.header.Get("Content-Type") != "application/vnd.pypi.simple.v1+html" {
		t.Errorf("the list is %s", g.body)
	}
}

func TestTheSameFilesMakeTheSameBytes(t *testing.T) {
	t.Parallel()
	first, second := registry.Shelf(), registry.Shelf()
	for i := range first {
		if !bytes.Equal(first[i].Packed(), second[i].Packed()) || first[i].File() != second[i].File() {
			t.Errorf("%s differs", first[i].File())
		}
	}
}

func TestAFolderOfPackagesIsServed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, err := registry.Folder(dir); err == nil || !strings.Contains(err.Error(), "no npm packages") {
		t.Errorf("the error is %v", err)
	}
	p := registry.Node("@example/left", "1.2.3", nil)
	write := func(name string, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("example-left-1.2.3.tgz", p.Packed())
	packages, err := registry.Folder(dir)
	if err != nil {
		t.Fatal(err)
	}
	s := registry.Start(t, packages...)
	if g := get(t, s.URL+"/@example/left/-/example-left-1.2.3.tgz", "", ""); !bytes.Equal(g.body, p.Packed()) {
		t.Errorf("it is answered %d", g.status)
	}
	if _, err := registry.New(packages[0], packages[0]); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("the error is %v", err)
	}
	if _, err := registry.New(registry.Node("left", "1.0.0", map[string]string{"package.json": "{"})); err == nil || !strings.Contains(err.Error(), "left 1.0.0") {
		t.Errorf("the error is %v", err)
	}
	write("broken.tgz", []byte("text"))
	if _, err := registry.Folder(dir); err == nil || !strings.Contains(err.Error(), "broken.tgz") {
		t.Errorf("the error is %v", err)
	}
}

// TestNothingLeavesTheMachine asks as a client does that has the registry as its proxy.
func TestNothingLeavesTheMachine(t *testing.T) {
	t.Parallel()
	s, err := registry.Open()
	if err != nil {
		t.Fatal(err)
	}
	proxy, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(proxy)}}
	if response, err := client.Get("http://registry.example.com/left"); err != nil || response.StatusCode != http.StatusForbidden {
		t.Errorf("it is answered %v %v", response, err)
	}
	if _, err := client.Get("https://registry.example.com/left"); err == nil {
		t.Error("there is a tunnel")
	}
	for _, want := range []string{"GET http://registry.example.com/left", "CONNECT registry.example.com:443"} {
		if !slices.Contains(s.Elsewhere(), want) {
			t.Errorf("%q is not in %q", want, s.Elsewhere())
		}
	}
	if err := s.Close(); err == nil || !strings.Contains(err.Error(), "registry.example.com:443") {
		t.Errorf("the end says %v", err)
	}
}
