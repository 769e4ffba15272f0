package identitypool_test

import "testing"

// BenchmarkSession measures a part of every signed request.
func BenchmarkSession(b *testing.B) {
	w := newFixture(b, dev(), qa())
	w.addUser(dev(), "ada", "Editors", "Admins")
	for name, a := range map[string]answer{"guest": w.guest(dev()), "user": w.member(dev(), w.signIn(dev(), "ada").ID)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := w.session("dev", a); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkBearer measures requests with a token, which is verified every time.
func BenchmarkBearer(b *testing.B) {
	w := newFixture(b, dev())
	w.addUser(dev(), "ada", "Admins")
	idToken := w.signIn(dev(), "ada").ID
	for b.Loop() {
		if _, err := w.identities.Bearer("dev", idToken); err != nil {
			b.Fatal(err)
		}
	}
}
