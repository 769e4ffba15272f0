package curl

import (
	"slices"
	"strings"
)

// letters are the options of one letter.
var letters = map[byte]string{
	'X': "request", 'H': "header", 'd': "data", 'u': "user", 'b': "cookie", 'A': "user-agent", 'e': "referer", 'G': "get",
	'I': "head",
	's': "silent", 'S': "show-error", 'v': "verbose", 'i': "include", 'k': "insecure", 'L': "location", 'f': "fail",
	'g': "globoff", 'N': "no-buffer",
	'#': "progress-bar", '4': "ipv4", '6': "ipv6", '0': "http1.0", 'o': "output", 'O': "remote-name", 'w': "write-out",
	'm': "max-time", 'c': "cookie-jar",
	'E': "cert", 'x': "proxy", 'D': "dump-header", 'F': "form", 'T': "upload-file", 'K': "config", 'r': "range",
	'y': "speed-time", 'Y': "speed-limit",
	'j': "junk-session-cookies", 'n': "netrc", 'q': "disable", 'J': "remote-header-name", 'R': "remote-time",
	'Z': "parallel", 'p': "proxytunnel", 'U': "proxy-user",
}

// harmless are options that say how the answer is shown, or what does not matter for a sandbox
// on this machine. Those of harmlessValue have a value.
var (
	harmless = []string{
		"silent", "show-error", "verbose", "include", "insecure", "location", "fail", "fail-with-body", "globoff",
		"no-buffer", "progress-bar", "ipv4", "ipv6",
		"http1.0", "http1.1", "http2", "http2-prior-knowledge", "http3", "compressed", "remote-name", "remote-header-name",
		"remote-time", "no-progress-meter",
		"tcp-nodelay", "keepalive", "no-keepalive", "ssl", "tlsv1.2", "tlsv1.3", "location-trusted", "disable",
		"junk-session-cookies", "parallel",
	}
	harmlessValue = []string{
		"output", "write-out", "max-time", "connect-timeout", "retry", "retry-delay", "retry-max-time", "max-redirs",
		"cookie-jar", "dump-header", "output-dir", "stderr",
		"speed-time", "speed-limit", "keepalive-time", "limit-rate",
	}
	// understood are the options with a value that say what is sent.
	understood = []string{
		"request", "header", "data", "data-ascii", "data-raw", "data-binary", "data-urlencode", "json", "user", "cookie",
		"user-agent", "referer", "url",
		"oauth2-bearer", "url-query", "form", "form-string", "upload-file",
	}
	// unknownValue are options with a value that are not understood.
	unknownValue = []string{
		"cert", "key", "cacert", "capath", "proxy", "proxy-user", "resolve", "connect-to", "config", "range", "aws-sigv4",
		"interface", "unix-socket", "cert-type", "key-type", "ciphers", "noproxy", "socks5", "socks5-hostname", "variable",
		"expand-data", "expand-url", "expand-header",
	}
)

// ofPowerShell are options that only PowerShell's own curl has.
var ofPowerShell = []string{
	"-uri", "-method", "-body", "-headers", "-contenttype", "-usebasicparsing", "-websession",
	"-outfile", "-infile",
}

// takesValue reports whether an option has a value.
func takesValue(name string) bool {
	return slices.Contains(understood, name) || slices.Contains(harmlessValue, name) || slices.Contains(unknownValue, name)
}

// long reads an option by its long name.
func (p *parser) long(name string, next func() string) {
	switch {
	case slices.Contains(understood, name):
		p.option(name, next())
	case slices.Contains(harmless, name):
	case slices.Contains(harmlessValue, name):
		next()
	case slices.Contains(unknownValue, name):
		p.note("--" + name + " " + next() + " is not understood")
	case name == "get":
		p.get = true
	case name == "path-as-is":
		p.asIs = true
	case name == "head":
		p.head = true
	default:
		p.note("--" + name + " is not understood")
	}
}

// option reads an option that says what is sent.
func (p *parser) option(name, value string) {
	switch name {
	case "request":
		p.method = value
	case "header":
		p.header(value)
	case "data", "data-ascii":
		// curl drops the line breaks of a file, not those of a text.
		p.body(value, true)
	case "data-binary":
		p.body(value, true)
	case "data-raw":
		p.body(value, false)
	case "data-urlencode":
		p.hasData = true
		if part, ok := p.encoded(value); ok {
			p.add(part)
		}
	case "json":
		p.json = true
		p.body(value, true)
	case "user":
		p.out.Headers = append(p.out.Headers, basic(value))
	case "oauth2-bearer":
		p.out.Headers = append(p.out.Headers, "Authorization: Bearer "+value)
	case "cookie":
		if strings.Contains(value, "=") {
			p.out.Headers = append(p.out.Headers, "Cookie: "+value)
		} else {
			p.note("the cookies of the file " + value + " are not read")
		}
	case "user-agent":
		p.out.Headers = append(p.out.Headers, "User-Agent: "+value)
	case "referer":
		p.out.Headers = append(p.out.Headers, "Referer: "+value)
	case "url":
		p.address(value)
	case "url-query":
		if raw, ok := strings.CutPrefix(value, "+"); ok {
			p.query = append(p.query, raw)
		} else if part, ok := p.encoded(value); ok {
			p.query = append(p.query, part)
		}
	case "form", "form-string":
		name, _, _ := strings.Cut(value, "=")
		p.multipart = true
		p.note("the field " + name + " is left out: multipart bodies are not supported")
	case "upload-file":
		p.upload = true
		p.note("the file " + value + " of --upload-file is not read: paste the body yourself")
	}
}
