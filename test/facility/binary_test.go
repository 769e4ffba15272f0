package facility

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"image"
	"image/color"
	imagepng "image/png"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/test/depth"
	"gatewright/test/registry"
)

// The functions answer GET with an image, and POST with what they got. The app reads the
// image from its own file, as apps do.
const (
	imageApp = `const express = require("express");
const path = require("node:path");
const app = express();
app.get("/express", (req, res) => res.type("png").send(require("node:fs").readFileSync(path.join(__dirname, "image.png"))));
app.get("/express/file", (req, res) => res.sendFile(path.join(__dirname, "image.png")));
app.post("/express", express.raw({ type: "*/*", limit: "10mb" }), (req, res) => res.json({ body: req.body.toString("base64"), encoded: true }));
module.exports = app;
`
	imageHandler = `const fs = require("node:fs");
exports.handler = async (event) => {
  if (event.httpMethod === "GET") {
    const body = fs.readFileSync(__dirname + "/image.png").toString("base64");
    return { statusCode: 200, headers: { "content-type": "image/png" }, body, isBase64Encoded: true };
  }
  return { statusCode: 200, body: JSON.stringify({ body: event.body, encoded: event.isBase64Encoded }) };
};
`
	// imageClient fetches an image as an app does, and sends it as a file of a form's kind.
	imageClient = `const fs = require("node:fs");
const [url, file] = process.argv.slice(1);
(async () => {
  const image = fs.readFileSync(file);
  const answer = await fetch(url, { headers: { accept: "image/png" } });
  const got = Buffer.from(await answer.arrayBuffer());
  const sent = await (await fetch(url, { method: "POST", body: new Blob([image], { type: "image/png" }) })).json();
  console.log(JSON.stringify({
    status: answer.status, type: answer.headers.get("content-type"), length: Number(answer.headers.get("content-length")), same: image.equals(got),
    encoded: sent.encoded, sent: image.equals(Buffer.from(sent.body, "base64")),
  }));
})();
`
)

// randomImage is a PNG that is larger than any buffer on its way.
func randomImage(t *testing.T) []byte {
	t.Helper()
	picture := image.NewRGBA(image.Rect(0, 0, 400, 300))
	seed := uint32(1)
	for x := range 400 {
		for y := range 300 {
			seed = seed*1664525 + 1013904223
			picture.Set(x, y, color.RGBA{byte(seed >> 24), byte(seed >> 16), byte(seed >> 8), 255})
		}
	}
	var file bytes.Buffer
	if err := imagepng.Encode(&file, picture); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// TestImagesGoAndComeByteForByte sends and fetches an image with curl and with fetch of
// Node.js, through an Express app and through a plain function.
func TestImagesGoAndComeByteForByte(t *testing.T) {
	registry.Public(t)
	f := newFacility(t)
	f.run(0, "add", "api", "shop", "--path", "/plain", "--function", "plain", "--new-function", "plain", "--open", "--binary-media-types", "image/png")
	f.run(0, "add", "path", "shop", "/express", "--function", "express", "--new-function", "express", "--open")
	picture := randomImage(t)
	file := filepath.Join(t.TempDir(), "image.png")
	for name, content := range map[string][]byte{
		file: picture, "plain/src/image.png": picture, "express/src/image.png": picture,
		"plain/src/index.js": []byte(imageHandler), "express/src/app.js": []byte(imageApp),
	} {
		if !filepath.IsAbs(name) {
			name = filepath.Join(f.dir, "backend", "function", filepath.FromSlash(name))
		}
		if err := os.WriteFile(name, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f.serve()
	t.Run("plain", func(t *testing.T) { f.imagesArrive(t, "/plain", file, picture) })
	t.Run("express", func(t *testing.T) {
		if status, body, _ := f.request("GET", "/express", ""); status != http.StatusOK {
			if strings.Contains(f.output(), "no package registry is reachable") {
				depth.Lacks(t, "npm's registry", f.output())
			}
			t.Fatalf("the first request is answered %d %s:\n%s", status, body, f.output())
		}
		f.imagesArrive(t, "/express", file, picture)
		if got := f.curl(t, "/express/file", "-H", "Accept: image/png"); !bytes.Equal(got, picture) {
			t.Errorf("a file of the app is answered with %d other bytes", len(got))
		}
	})

	// Without the setting, and to browsers, which accept pages first, the base64 goes out.
	if got := f.curl(t, "/plain", "-H", "Accept: text/html,image/png"); string(got) != base64.StdEncoding.EncodeToString(picture) {
		t.Errorf("a browser gets %d bytes: %.40q", len(got), got)
	}
	if said := f.run(0, "logs", ".gateway"); !strings.Contains(said, "its body is sent undecoded, since the first media type of the request's Accept header is no binary media type") {
		t.Errorf("the log says\n%s", said)
	}
	var report struct {
		Body   string
		Base64 bool
	}
	if out := f.run(0, "call", "GET", "/plain", "--header", "Accept: image/png", "--json"); json.Unmarshal([]byte(out), &report) != nil || !report.Base64 ||
		report.Body != base64.StdEncoding.EncodeToString(picture) {
		t.Errorf("call prints %.100s", out)
	}
	f.run(0, "update", "api", "shop", "--binary-media-types", "")
	f.run(0, "call", "GET", "/plain") // waits until the change is served
	if got := f.curl(t, "/plain", "-H", "Accept: image/png"); string(got) != base64.StdEncoding.EncodeToString(picture) {
		t.Errorf("without the setting there are %d bytes: %.40q", len(got), got)
	}
	f.run(0, "update", "api", "shop", "--binary-media-types", "*/*")
	f.run(0, "call", "GET", "/plain")
	if got := f.curl(t, "/plain", "-H", "Accept: text/html,image/png"); !bytes.Equal(got, picture) {
		t.Errorf("with */* a browser gets %d bytes: %.40q", len(got), got)
	}
	if got := f.curl(t, "/plain", "-H", "Accept:"); !bytes.Equal(got, picture) {
		t.Errorf("with */* a client without Accept gets %d bytes: %.40q", len(got), got)
	}
}

// imagesArrive fetches the image from a path and sends it there, with both clients.
func (f *facility) imagesArrive(t *testing.T, path, file string, picture []byte) {
	t.Helper()
	if got := f.curl(t, path, "-H", "Accept: image/png"); !bytes.Equal(got, picture) {
		t.Errorf("curl gets %d other bytes: %.60q", len(got), got)
	}
	var sent struct {
		Body    string
		Encoded bool
	}
	out := f.curl(t, path, "-H", "Content-Type: image/png", "--data-binary", "@"+file)
	if err := json.Unmarshal(out, &sent); err != nil || !sent.Encoded || sent.Body != base64.StdEncoding.EncodeToString(picture) {
		t.Errorf("what curl sends arrives as %.60q: %v", out, err)
	}
	fetched, err := exec.Command("node", "-e", imageClient, f.endpoint+path, file).CombinedOutput()
	if want := `{"status":200,"type":"image/png","length":` + jsonNumber(len(picture)) + `,"same":true,"encoded":true,"sent":true}`; err != nil || strings.TrimSpace(string(fetched)) != want {
		t.Errorf("fetch gives %v %s, want %s", err, fetched, want)
	}
}

func jsonNumber(n int) string {
	text, _ := json.Marshal(n)
	return string(text)
}

// curl sends a request with curl, and returns the body of the answer.
func (f *facility) curl(t *testing.T, path string, args ...string) []byte {
	t.Helper()
	depth.Needs(t, "curl")
	out, err := exec.Command("curl", append([]string{"--silent", "--show-error", "--max-time", "60", f.endpoint + path}, args...)...).Output()
	if err != nil {
		t.Fatalf("curl %q: %v", args, err)
	}
	return out
}
