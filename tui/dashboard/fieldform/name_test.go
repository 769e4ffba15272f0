package fieldform

import "testing"

// TestEntriesOfAListAreToldApart has entries whose names are before = or :, and origins, which are names themselves:
// merging takes entries of one name for changes of one entry.
func TestEntriesOfAListAreToldApart(t *testing.T) {
	t.Parallel()
	for entry, want := range map[string]string{
		"https://a.example": "https://a.example", "http://localhost:5173": "http://localhost:5173",
		"prod=https://a.example,https://b.example": "prod", "byAuthor: author": "byAuthor", "NAME=a:b": "NAME",
	} {
		if got := nameIn(entry); got != want {
			t.Errorf("%s is named %s, want %s", entry, got, want)
		}
	}
}
