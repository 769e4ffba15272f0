// Command serve is an npm registry on this machine of the npm packages in a folder, to try a
// release before it is published:
//
//	go run ./tools/release/npm/serve dist
//	npx --registry http://127.0.0.1:4873 gatewright
//
// It prints each request.
package main

import (
	"flag"
	"log"
	"net"
	"net/http"
	"os"

	"gatewright/test/registry"
)

func main() {
	port := flag.String("port", "4873", "listen on this `port` of 127.0.0.1; 0 takes a free one")
	flag.Parse()
	log.SetFlags(0)
	if flag.NArg() != 1 {
		log.Print("usage: go run ./tools/release/npm/serve [-port PORT] FOLDER")
		os.Exit(2)
	}
	packed, err := registry.Folder(flag.Arg(0))
	if err != nil {
		log.Fatal("serve: ", err)
	}
	packages, err := registry.New(packed...)
	if err != nil {
		log.Fatal("serve: ", err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+*port)
	if err != nil {
		log.Fatal("serve: ", err)
	}
	log.Printf("npx --registry http://%s gatewright", listener.Addr())
	log.Fatal(http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		log.Print(r.Method, " ", r.URL.Path)
		packages.ServeHTTP(w, r)
	})))
}
