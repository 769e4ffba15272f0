package http1

import "testing"

func TestAPageIsKnownByItsOriginOrAForeignName(t *testing.T) {
	t.Parallel()
	for host, page := range map[string]bool{
		"": false, "127.0.0.1": false, "127.0.0.1:4280": false, "[::1]:4280": false, "[::1]": false, "192.168.65.2:4280": false,
		"localhost": false, "LocalHost:4280": false, "localhost.:4280": false, "abc.localhost:4280": false, "host.docker.internal:4280": false,
		"evil.example:4280": true, "evil.example": true, "localhost.evil.example": true, "127.0.0.1.nip.io:4280": true, "notlocalhost": true,
		"internal.evil.example": true, "evilinternal": true, "evil.example.": true, "router": true,
	} {
		h := Head{Host: host}
		if h.MayBeFromPage() != page {
			t.Errorf("Host %q: %v", host, !page)
		}
		h.Fields = []Field{{"origin", "null"}}
		if !h.MayBeFromPage() {
			t.Errorf("Host %q with an Origin is no page", host)
		}
	}
}
